import { expect, it } from 'vitest'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import { filmOf, planOf, expectPassed } from '../../../support/containers/films/checked-film.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

it('takes no key picture for another where a decoder skips one that the file marks', async () => {
  // The change of scene at 0.73 s comes too soon before the next one for a picture at which decoding may begin.
  const scenes = ['testsrc2=d=0.7333', 'mandelbrot,trim=duration=0.1333', 'smptebars=d=1']
  const drawn = scenes.map((scene) => {
    const [source = '', ...filters] = scene.split(',')
    const sized = `${source}${source.includes('=') ? ':' : '='}s=320x180:r=30`
    return ['-f', 'lavfi', '-i', [sized, ...filters, 'format=yuv420p'].join(',')]
  })
  const file = await makeFile('mp4', [
    ...[...drawn.flat(), '-f', 'lavfi', '-i', 'sine=440:d=1.8667'],
    ...['-filter_complex', '[0][1][2]concat=n=3', '-c:a', 'aac'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0'],
  ])
  const planned = await planOf([file], {})
  const film = await filmOf(planned)
  const checks = await checkFilm(planned, film)
  expect(film.plan.video).toBe('copy')
  expect(checks.filter(({ result }) => result !== 'passed')).toEqual([])
})

it('takes saturated colours of a source that does not name their matrix for what they are', async () => {
  const bars = 'testsrc2=s=1280x96:r=10:d=20,format=yuv420p'
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20']
  const file = await makeFile('mp4', ['-f', 'lavfi', '-i', bars, ...coding])
  const planned = await planOf([file], { compressionQuality: 40 })
  await expectPassed(planned, await filmOf(planned))
})
