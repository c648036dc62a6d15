import { expect, it } from 'vitest'
import { plainImage } from '../../support/containers/films/element-files.ts'
import { framesOf } from '../../support/containers/films/frame-pixels.ts'
import { savedOutput } from '../../support/containers/outputs.ts'
import { ffmpegBytes } from '../../support/containers/run-tool.ts'
import { aMediaWorker, aSourceServer, runJob } from '../../support/containers/service-for-all.ts'
import { samplesOf } from '../../support/containers/sound/samples.ts'
import { makeFile } from '../../support/node/fixtures.ts'

const rate = 48_000
const [width, height] = [320, 180]

/** Four seconds of a gray, with a tone that lasts a fifth of a second. */
const grayClip = async (color: string, toneAt: number) =>
  makeFile('mp4', [
    ...['-f', 'lavfi', '-i', `color=c=${color}:s=${width}x${height}:r=25:d=4`],
    ...[
      '-f',
      'lavfi',
      '-i',
      `aevalsrc='0.5*sin(880*PI*t)*between(t,${toneAt},${toneAt + 0.2})':d=4`,
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  ])

async function edit(clips: readonly string[], image: string, options: Record<string, unknown>) {
  const [worker, sources] = [await aMediaWorker({}), await aSourceServer()]
  const [first = '', second = ''] = clips.map((clip) => sources.file(clip))
  const transition = { type: 'crossfade', duration: 1 } as const
  const inputs = [{ url: first, transition }, { url: second }]
  const elementSources = [{ url: sources.file(image), origin: 'customer' as const }]
  const more = { elementSources }
  const { receiver, end } = await runJob(worker, { inputs, options, more })
  return { end, file: await savedOutput(receiver, 'final', 'mp4') }
}

/** The pictures in which something fits, as the first and the last of them. */
function spanOf<Value>(values: readonly Value[], fits: (value: Value) => boolean) {
  return [values.findIndex(fits), values.findLastIndex(fits)]
}

it('keeps pictures, sounds, elements and captions together through cuts, a crossfade and a speed', async () => {
  const clips = [await grayClip('#404040', 3), await grayClip('#a0a0a0', 2)]
  const words = [
    { text: 'Removed', startTime: 1.2, endTime: 1.6 },
    { text: 'Early', startTime: 2.5, endTime: 2.8 },
    { text: 'Afterwards', startTime: 5.5, endTime: 6.1 },
  ]
  const { end, file } = await edit(clips, await plainImage('#0000ff', '32x32'), {
    ...{ combine: true, speed: 1.5, removeSegments: [{ startTime: 1, endTime: 2 }] },
    elements: [
      {
        ...{ type: 'image', url: 'https://media.example/element', clip: 2 },
        ...{ position: { x: '0%', y: '0%' }, size: { width: '20%' } },
        timing: { startTime: 0.2, endTime: 1.2 },
      },
    ],
    captions: { source: { words }, burn: true, embed: true, color: '#00ff00' },
  })
  // Three seconds of the first clip and four of the second, one of them at once, in two thirds of the time.
  expect(end).toMatchObject({
    type: 'succeeded',
    warnings: [],
    videoMetadata: { duration: 4 },
    trace: { plan: { cuts: { list: [{ startTime: 1, endTime: 2, resultTime: 0.667 }] } } },
  })
  const frames = await framesOf(file)
  expect(frames).toHaveLength(100)

  // The second clip begins at 2 s of what is left, so at 1.333 s, and is alone from 2 s on.
  const grays = frames.map((frame) => frame.at(width - 4, 4)[1])
  const mixed = spanOf(grays, (gray) => gray > 0x42 && gray < 0x9e)
  expect(mixed).toEqual([34, 49])
  expect(Math.abs((grays[42] ?? 0) - (0x40 + (0x60 * (63 - 50)) / 25))).toBeLessThan(4)

  const corners = frames.map((frame) => frame.at(8, 8))
  expect(spanOf(corners, ([red, , blue]) => blue - red > 150)).toEqual([39, 63])

  // "Early" from 1.5 s of what is left, "Afterwards" from 3.5 s: a caption begins with the nearest picture.
  const letters = frames.map((frame) => {
    const pixels = Array.from({ length: width * 90 }, (_, i) =>
      frame.at(i % width, 90 + Math.floor(i / width)),
    )
    return pixels.filter(([red, green]) => green - red > 150).length
  })
  const changes = letters.flatMap((count, i) =>
    Math.abs(count - (letters[i - 1] ?? 0)) > 10 ? [i] : [],
  )
  expect(changes.slice(0, 2), letters.join()).toEqual([25, 58])
  const track = String(await ffmpegBytes(['-i', file, '-map', '0:s', '-f', 'webvtt', '-']))
  expect(track).toMatch(/^00:01\.000 --> .*\nEarly\n\n00:02\.333 --> .*\nAfterwards$/m)
  expect(track).not.toContain('Removed')

  // The tones begin at 2 s of what is left, where the second clip is still silent, and at 4 s.
  const samples = await samplesOf(file, rate)
  expect(Math.abs(samples.length / rate - 4)).toBeLessThan(0.03)
  const onset = (from: number) =>
    from + samples.subarray(from * rate).findIndex((value) => Math.abs(value) > 0.1) / rate
  expect(Math.abs(onset(0) - 2 / 1.5)).toBeLessThan(0.015)
  expect(Math.abs(onset(2) - 4 / 1.5)).toBeLessThan(0.015)
})
