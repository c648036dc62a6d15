import path from 'node:path'
import { expect, it } from 'vitest'
import { checkFilm } from '../../../../../containers/job/check/check-film.ts'
import { geometryOf } from '../../../../../containers/job/check/unfiltered/frame-geometry.ts'
import type { Looked } from '../../../../../containers/job/check/check-tables.ts'
import { makeFile } from '../../../../support/node/fixtures.ts'
import { useOutputs } from '../../../../support/containers/outputs.ts'
import { campaignTag } from '../../../../../scripts/test/suites.ts'
import { spoilFile } from '../../../../support/containers/faulty-ffmpeg.ts'
import {
  aLivelyVideo,
  filmOf,
  planOf,
  withFile,
} from '../../../../support/containers/films/checked-film.ts'

const { made } = useOutputs()

/** Quick to make, and so large that no film of it is encoded again because it became larger. */
const coding = ['-preset', 'ultrafast', '-crf', '8', '-pix_fmt', 'yuv420p']

it('finds a film that is mirrored although its plan is too', async () => {
  const mirrored = await planOf([await aLivelyVideo()], { flip: 'horizontal' })
  const { context } = mirrored
  const film = await filmOf(mirrored)
  const { job } = context
  const { flip, ...options } = job.options
  expect(flip).toBe('horizontal')
  const asked = {
    ...mirrored,
    context: { ...context, job: { ...job, options } },
  } as typeof mirrored
  const pictures = async (planned: typeof mirrored) =>
    (await checkFilm(planned, film)).find(({ name }) => name === 'pictures')
  expect(await pictures(asked)).toMatchObject({
    result: 'failed',
    message: 'Its pictures are mirrored beside those of its source.',
  })
  expect(await pictures(mirrored)).toMatchObject({ result: 'passed' })
})

it.each([
  ['1:1', 'drawgrid=w=80:h=80:t=2:c=gray'],
  ['9:16', 'drawgrid=w=33:h=47:t=1:c=black'],
])(
  'takes thin lines for what they are, in a film of %s below words',
  async (aspectRatio, lines) => {
    const screen = `color=0xf4f0e6:s=1280x720:r=25,${lines},format=yuv420p`
    const source = await makeFile('mp4', ['-f', 'lavfi', '-i', screen, '-t', '0.6'])
    const text = { type: 'text', text: 'Thin lines of a screen', position: { y: '80%' } }
    const planned = await planOf([source], { aspectRatio, elements: [text] })
    const checks = await checkFilm(planned, await filmOf(planned))
    expect(checks.find(({ name }) => name === 'pictures')).toMatchObject({ result: 'passed' })
  },
)

it('compares a film at a higher rate with the picture that its source still shows', async () => {
  const slow = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=5', '-t', '4']
  const source = await makeFile('mp4', [...slow, ...coding])
  const { end } = await made([source], { outputs: [{ name: 'smooth', fps: 30 }] })
  const checks = end.named?.[0]?.checks
  expect(checks?.find(({ name }) => name === 'pictures')).toMatchObject({ result: 'passed' })
})

it('compares a stream at half the speed with a source whose pictures come irregularly', async () => {
  const uneven = "testsrc2=s=640x360:r=30:d=6,select='gt(random(1),0.5)'"
  const variable = ['-fps_mode', 'vfr', ...coding]
  const source = await makeFile('mp4', ['-f', 'lavfi', '-i', uneven, ...variable])
  const outputs = [{ name: 'stream', outputFormat: 'hls' }]
  const { end } = await made([source], { speed: 0.5, outputs })
  const checks = end.named?.[0]?.checks
  expect(checks?.find(({ name }) => name === 'pictures')).toMatchObject({ result: 'passed' })
})

it('does not take the colours of another moment for wrong where lights change with every picture', async () => {
  const slow = 'testsrc2=s=320x180:r=5:d=4'
  const lights = "testsrc2=s=320x180:r=25:d=4,hue=h='mod(n*67,360)'"
  const clips = await Promise.all(
    [slow, lights, lights].map(async (drawn) =>
      makeFile('mp4', ['-f', 'lavfi', '-i', drawn, ...coding]),
    ),
  )
  const { end } = await made(clips, { combine: true })
  const { checks } = end
  expect(checks?.find(({ name }) => name === 'pictures')).toMatchObject({ result: 'passed' })
})

it('does not take colours for wrong that another matrix writes in other numbers', async () => {
  const [small, large] = await Promise.all(
    ['640x360', '1280x720'].map(async (size) => {
      const halves = `color=lime:s=${size}:r=25,drawbox=w=iw/2:h=ih:color=magenta:t=fill`
      return makeFile('mp4', ['-f', 'lavfi', '-i', halves, '-t', '1', ...coding])
    }),
  )
  const { end } = await made([small ?? '', large ?? ''], { combine: true })
  const { checks } = end
  expect(checks?.find(({ name }) => name === 'pictures')).toMatchObject({ result: 'passed' })
})

it('finds grain that begins late in a film', { tags: [campaignTag] }, async () => {
  const planned = await planOf([await aLivelyVideo(4, ['-g', '25'])], { compressionQuality: 80 })
  const { folder } = planned.context.tools
  const film = await filmOf(planned)
  spoilFile(
    folder,
    film.name,
    'spoil -vf "noise=alls=12:allf=t:enable=\'gt(t,2)\'" -c:v libx264 -crf 20 -c:a copy',
  )
  const spoilt = await withFile(planned, film, path.join(folder, film.name))
  const checks = await checkFilm(planned, spoilt)
  expect(checks.find(({ name }) => name === 'pictures')).toMatchObject({
    message: 'There is grain on its pictures that its source does not have.',
  })
})

/** Where a clip of 400 by 200 pixels is seen in a film of this size. */
function geometry(size: { width: number; height: number }, options: object) {
  const asked = { rotate: 0, resizeMode: 'cover', stabilize: false, ...options }
  const clip = { facts: { video: { width: 400, height: 200 } }, asked: {} }
  const looked = {
    planned: { context: { job: { options: asked } }, clips: [clip] },
    film: { plan: size },
  } as unknown as Looked
  return geometryOf(looked, 0)
}

it('knows which place of the source each place of the film shows', () => {
  const wide = { width: 400, height: 200 }
  const square = { width: 200, height: 200 }
  const at = (x: number, y: number, ...[size, options]: Parameters<typeof geometry>) =>
    geometry(size, options)?.placeIn(x, y)
  expect(at(0.25, 0.5, wide, {})).toEqual([0.25, 0.5])
  expect(at(0.25, 0.5, wide, { flip: 'horizontal' })).toEqual([0.75, 0.5])
  expect(at(0, 0, square, {})).toEqual([0.25, 0])
  // Pictures are cut out from an even place on: a pixel beside that, thin lines would look sharper.
  expect(at(0, 0, { width: 114, height: 200 }, {})).toEqual([142 / 400, 0])
  expect(at(0, 0, wide, { crop: { x: '50%', width: '50%' } })).toEqual([0.5, 0.25])
  // The left upper corner of a picture that is turned to the right was its left lower one.
  expect(at(0, 0, { width: 200, height: 400 }, { rotate: 90 })).toEqual([0, 1])
  expect(at(0, 0, { width: 200, height: 400 }, { rotate: 270 })).toEqual([1, 0])
  expect(geometry(square, { resizeMode: 'contain' })?.shown).toEqual({
    ...{ x: 0, y: 0.25, width: 1, height: 0.5 },
  })
})
