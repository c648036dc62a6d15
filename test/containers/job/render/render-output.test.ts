import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { makeFile, makeVideo } from '../../../support/node/fixtures.ts'
import { ffmpeg } from '../../../support/containers/run-tool.ts'
import { aServiceForAll, succeed } from '../../../support/containers/service-for-all.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'
import { campaign } from '../../../support/node/campaign.ts'

const service = aServiceForAll({ MEDIA_SLOTS: '2' })

/** Sends a job and waits for its last report. */
async function rendered(
  sources: readonly string[],
  options: Record<string, unknown> = {},
  allowsAlarms = false,
) {
  const inputs = sources.map((source) => service.sources.file(source))
  return succeed(service.worker, { inputs, options }, { allowsAlarms })
}

campaign('codes less well where even a copy would be larger than the source', async () => {
  // A streamed file has no index, so a copy with an index is larger.
  const coding = ['-c:v', 'libvpx', '-b:v', '30k', '-live', '1', '-fflags', '+bitexact']
  const source = await makeVideo({ seconds: 1, tone: null, extension: 'webm', coding })
  const options = { outputFormat: 'webm', compressionQuality: 95 }
  const { end } = await rendered([source], options)
  expect(end.trace.commands.some(({ args }) => args.includes('file:remux.webm'))).toBe(true)
  expect(end.trace.plan).toMatchObject({ video: 'encode' })
  expect(end.videoMetadata?.sizeInBytes).toBeLessThanOrEqual((await stat(source)).size)
  expect(end.warnings).toEqual([])
})

/** A square of a clip as the web has it, coded once before. */
async function square(seconds: number, options: Record<string, unknown> = {}) {
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '27', '-pix_fmt', 'yuv420p']
  const source = await makeVideo({
    ...{ seconds, size: '426x240', tone: null, coding },
    filters: ['-vf', 'noise=alls=5:allf=t'],
  })
  const { receiver, end } = await rendered([source], { aspectRatio: '1:1', ...options })
  const reference = await makeFile('mp4', ['-i', source, '-vf', 'crop=240:240', '-qp', '0'])
  const likeness = await similarity(receiver.output(), reference)
  const bytes = end.videoMetadata?.sizeInBytes ?? 0
  const share = bytes / (((await stat(source)).size * 240) / 426)
  const encodes = end.trace.commands.filter(({ args }) => args.includes('libx264')).length
  return { share, likeness, encodes }
}

it('gives a square no more bytes than the source has for its pixels, and the same look', async () => {
  const { share, likeness, encodes } = await square(2)
  // A quick look at the pictures, the encode that shares out the bytes, and one more as so few pictures miss them.
  expect(encodes).toBeLessThanOrEqual(3)
  expect(share).toBeLessThan(1.1)
  expect(share).toBeGreaterThan(0.75)
  expect(likeness).toBeGreaterThan(0.97)
})

campaign('stops an encode of a longer film early if it would become too large', async () => {
  const { share, likeness, encodes } = await square(15)
  expect(share).toBeLessThan(1.1)
  expect(share).toBeGreaterThan(0.75)
  expect(likeness).toBeGreaterThan(0.97)
  expect(encodes).toBeGreaterThan(1)
})

campaign('gives no lower quality a larger result than a higher one', async () => {
  const shares: number[] = []
  for (const compressionQuality of [90, 30]) {
    shares.push((await square(2, { compressionQuality })).share)
  }
  expect(shares).toEqual(shares.toSorted((a, b) => b - a))
})

campaign('makes a source look the same in another codec without many times its bytes', async () => {
  const coding = ['-c:v', 'libvpx', '-b:v', '250k', '-deadline', 'realtime', '-cpu-used', '8']
  const source = await makeVideo({
    ...{ seconds: 4, size: '640x360', tone: null, extension: 'webm', coding },
  })
  const { receiver, end } = await rendered([source])
  const { size } = await stat(source)
  expect(end.videoMetadata?.sizeInBytes).toBeLessThan(1.15 * size)
  expect(await similarity(receiver.output(), source)).toBeGreaterThan(0.97)
  expect(end.videoMetadata?.duration).toBeCloseTo(4, 1)
  expect(end.trace.plan).toMatchObject({ video: 'encode' })
})

/** Structural similarity of the luma, picture by picture; 1 is the same. */
async function similarity(result: Buffer, source: string): Promise<number> {
  const file = path.join(await aFolder(), 'result.mp4')
  await writeFile(file, result)
  const counted = 'settb=1/25,setpts=N,setsar=1'
  const graph = `[0:v]${counted}[a];[1:v]${counted}[b];[a][b]ssim=stats_file=-`
  const said = await ffmpeg(['-i', file, '-i', source, '-lavfi', graph, '-f', 'null', '-'])
  const found = [...said.matchAll(/ Y:(\S+)/g)].map(([, value]) => Number(value))
  return found.reduce((sum, value) => sum + value, 0) / found.length
}

campaign('encodes clips if joining them as they are stored changes their pictures', async () => {
  // No picture of it is whole by itself, so that what follows the first second needs what came before.
  const refreshed = ['-c:v', 'libx264', '-x264-params', 'intra-refresh=1:keyint=25:bframes=0']
  const whole = await makeVideo({ seconds: 2, size: '160x96', tone: null, coding: refreshed })
  const later = await makeFile('mp4', ['-ss', '1', '-i', whole, '-c', 'copy'])
  // Each decoder shows something else where the second clip begins.
  const { end } = await rendered([whole, later], { combine: true }, true)
  expect(end.trace.plan).toMatchObject({
    video: 'encode',
    copyFailed: true,
    whyEncoded: expect.stringMatching(/^(a copy was not true|the check of its pictures)/) as string,
  })
  expect(end.trace.commands.some(({ args }) => args.includes('copy'))).toBe(true)
  expect(end.videoMetadata?.duration).toBeCloseTo(3, 1)
})
