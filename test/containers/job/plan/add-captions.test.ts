import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { leastContrast } from '../../../../containers/text/colors.ts'
import {
  colorDistance,
  framesOf,
  type Frame,
  type Rgb,
} from '../../../support/containers/films/frame-pixels.ts'
import { startHearingWorker } from '../../../support/containers/hearing-worker.ts'
import { letterContrasts } from '../../../support/containers/films/letter-contrast.ts'
import { probe } from '../../../support/containers/run-tool.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { aLivelyVideo, planOf } from '../../../support/containers/films/checked-film.ts'
import { campaign } from '../../../support/node/campaign.ts'

const words = [
  { word: 'Seven', start: 0.52, end: 0.92 },
  { word: 'ships', start: 1.2, end: 1.6 },
  { word: 'sailed', start: 2.4, end: 3 },
]

const fps = 25

/** Gray, and while the last word is said white, then black. */
const picture =
  `color=gray:s=320x180:r=${fps}:d=4,` +
  "drawbox=c=white:t=fill:enable='gte(t,2.4)',drawbox=c=black:t=fill:enable='gte(t,2.7)'"

/** A clip with a sound, in which a provider hears these words. */
async function caption(options: Record<string, unknown>) {
  const text = words.map(({ word }) => word).join(' ')
  const segments = [{ start: 0.52, end: 3, text }]
  const { run } = await startHearingWorker({ json: { text, language: 'english', segments, words } })
  const video = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', picture],
    ...['-f', 'lavfi', '-i', 'sine=f=300:d=4', '-c:v', 'libx264', '-preset', 'ultrafast'],
  ])
  const { end, receiver } = await run(video, options)
  const file = path.join(await aFolder(), 'out.mp4')
  await writeFile(file, receiver.output())
  return { end, file }
}

type Seen = { green: number; middle: number; edges: number; changed: number }

/** The share of the highlight and where it is, and how much differs from the picture in the margins and in all. */
function look(frame: Frame): Seen {
  const { width, height } = frame
  let [green, sum, edges, changed] = [0, 0, 0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = frame.at(x, y)
      if (isGreen(pixel)) [green, sum] = [green + 1, sum + x]
      if (colorDistance(pixel, frame.at(0, 0)) < 40) continue
      changed += 1
      const isOutside =
        x < width * 0.09 || x > width * 0.91 || y < height * 0.07 || y > height * 0.93
      if (isOutside) edges += 1
    }
  }
  return {
    green,
    middle: green === 0 ? 0 : sum / green / width,
    edges,
    changed: changed / width / height,
  }
}

function isGreen([red, green, blue]: Rgb): boolean {
  return green > 180 && red < 90 && blue < 90
}

it('highlights each word on the pictures in which it is said, and adds a track', async () => {
  const { end, file } = await caption({
    captions: { burn: true, embed: true, style: 'karaoke', highlight: '#00FF00', size: '14%' },
  })
  expect(end.warnings).toEqual([])
  expect(end.transcript).toMatchObject({ status: 'completed', text: 'Seven ships sailed' })
  const frames = await framesOf(file)
  const seen = frames.map(look)
  expect(seen).toHaveLength(4 * fps)
  for (const [i, { green }] of seen.entries()) {
    const time = i / fps
    const distance = Math.min(
      ...words.flatMap(({ start, end: to }) => [Math.abs(time - start), Math.abs(time - to)]),
    )
    // One picture more or less at either end of a word.
    if (distance <= 1 / fps + 1e-6) continue
    const isSaid = words.some(({ start, end: to }) => time > start && time < to)
    expect([time, green > 20]).toEqual([time, isSaid])
  }
  const middles = words.map(({ start }) => seen[Math.round((start + 0.2) * fps)]?.middle ?? 0)
  expect(middles).toEqual(middles.toSorted((a, b) => a - b))
  expect(Math.max(...seen.map(({ edges }) => edges))).toBe(0)
  expect(Math.max(...seen.map(({ changed }) => changed))).toBeLessThan(1 / 3)
  for (const time of [2.2, 2.6, 2.9]) {
    const frame = frames[Math.round(time * fps)]
    const contrasts = frame ? letterContrasts(frame, [255, 255, 255]) : []
    expect(contrasts.length).toBeGreaterThan(100)
    expect([time, Math.min(...contrasts) >= leastContrast]).toEqual([time, true])
  }
  const { streams } = await probe(file)
  expect(streams.find((stream) => stream['codec_type'] === 'subtitle')).toMatchObject({
    codec_name: 'mov_text',
    tags: { language: 'eng' },
  })
})

campaign('shows own captions where they are said after a cut, with tags as text', async () => {
  const srt = '1\n00:00:02,400 --> 00:00:03,400\n{\\c&H00FF00&}Later\n'
  const { end, file } = await caption({
    captions: { burn: true, source: { text: srt }, color: '#00FF00', size: '14%' },
    removeSegments: [{ startTime: 0, endTime: 1 }],
  })
  expect(end.transcript).toBeUndefined()
  const seen = (await framesOf(file)).map(look)
  expect(seen).toHaveLength(3 * fps)
  const shown = seen.flatMap(({ green }, i) => (green > 20 ? [i] : []))
  expect(Math.abs((shown[0] ?? 0) - 1.4 * fps)).toBeLessThanOrEqual(1)
  expect(Math.abs((shown.at(-1) ?? 0) + 1 - 2.4 * fps)).toBeLessThanOrEqual(1)
})

it('says how many cues begin only when the source has ended', async () => {
  const cue = (at: number) => `00:0${at}.000 --> 00:0${at}.500\nwords\n`
  const text = ['WEBVTT\n', ...[0, 1, 2].map(cue)].join('\n')
  const { warnings } = await planOf([await aLivelyVideo(1)], {
    captions: { source: { text } },
  })
  expect(warnings).toEqual([
    'captions.source: 2 cues begin after the source ends, and cannot be shown.',
  ])
})
