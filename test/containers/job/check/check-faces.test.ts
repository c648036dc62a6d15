import path from 'node:path'
import { expect, it } from 'vitest'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'
import { filmOf, planOf } from '../../../support/containers/films/checked-film.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const picture = path.resolve('node_modules/@vladmandic/human/assets/screenshot-faceid.jpg')

/** A face of 160 pixels in a picture of 640 by 360, of which a vertical crop shows the 202 pixels in the middle. */
async function aFaceAt(x: number): Promise<string> {
  const face = `crop=142:142:14:142,scale=160:160,pad=640:360:${x}:100:color=0x506070,format=yuv420p`
  return makeFile('mp4', [
    ...['-loop', '1', '-r', '25', '-t', '1.6', '-i', picture, '-vf', face],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10'],
  ])
}

const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-crf', '18'] as const

async function titleSafe(file: string, options: Record<string, unknown>) {
  const planned = await planOf([file], options)
  const checks = await checkFilm(planned, await filmOf(planned))
  const doubts = checks.filter(({ name, result }) => name !== 'title-safe' && result !== 'passed')
  expect(doubts).toEqual([])
  return checks.find(({ name }) => name === 'title-safe')
}

it('warns of a crop that cuts into a face, and says where', async () => {
  const found = await titleSafe(await aFaceAt(330), { aspectRatio: '9:16' })
  expect(found).toMatchObject({
    ...{ result: 'warned', stretch: { startTime: expect.any(Number) as number } },
    message: expect.stringMatching(
      /^A face that its source shows whole lies at the edge: at /,
    ) as string,
  })
})

it('says nothing of a face in the middle, or in a picture that is not cropped', async () => {
  expect(await titleSafe(await aFaceAt(240), { aspectRatio: '9:16' })).toMatchObject({
    result: 'passed',
  })
  const contained = { aspectRatio: '9:16', resizeMode: 'contain' }
  expect(await titleSafe(await aFaceAt(330), contained)).toMatchObject({ result: 'passed' })
})

it('says nothing of a fractal that only one of two models takes for a face', async () => {
  const dark = 'mandelbrot=s=640x360:r=25,eq=brightness=-0.35,trim=duration=4'
  const file = await makeFile('mp4', ['-f', 'lavfi', '-i', dark, ...h264])
  expect(await titleSafe(file, { aspectRatio: '1:1' })).toMatchObject({ result: 'passed' })
})
