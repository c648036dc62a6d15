import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countedVideo } from '../support/containers/films/counted-video.ts'
import { createVideo, ended, untilStatus } from '../support/node/api.ts'
import { Browser } from '../support/node/browser/browser.ts'
import { shownNumber } from '../support/node/browser/shown-number.ts'
import { eventually } from '../support/node/eventually.ts'
import { makeFile } from '../support/node/fixtures.ts'
import { listenDuringTest } from '../support/node/listen-during-test.ts'
import { clipsForAll, sharedService } from '../support/node/shared-service.ts'

const fps = 25
const seconds = 14
const player = path.join(import.meta.dirname, '../../node_modules/hls.js/dist/hls.min.js')

const clips = clipsForAll()
let browser: Browser
let streamUrl: string

/** Pictures that show their number as bars, so large that they can be read in every size. */
async function largeBars(): Promise<string> {
  const counted = await countedVideo({ seconds, fps })
  return makeFile('mp4', [
    ...['-i', counted, '-vf', 'scale=640:360:flags=neighbor,setsar=1', '-c:a', 'copy'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ])
}

beforeAll(async () => {
  const service = await sharedService()
  browser = await Browser.start()
  const text = 'WEBVTT\n\n00:02.000 --> 00:04.000\nGood morning\n'
  const { videoId } = await createVideo(service, {
    fileUrl: clips.serve('talk.mp4', await largeBars()),
    captions: { source: { text }, language: 'en', embed: true },
    outputs: [{ name: 'stream', outputFormat: 'hls', heights: [360, 240, 144] }],
  })
  const record = await untilStatus(service, videoId, ended)
  expect(record['status'], String(record['errorMessage'])).toBe('succeeded')
  const [stream] = record['outputs'] as { url: string }[]
  streamUrl = String(stream?.url)
})

afterAll(async () => browser.stop())

/** What the guide shows: the script, an element, and the address. */
const html = (url: string) => `<video muted playsinline></video><script src="/hls.js"></script>
<script>
  const seen = { errors: [] }
  const video = document.querySelector('video')
  const hls = new Hls()
  hls.on(Hls.Events.ERROR, (_, { type, details }) => {
    // It has ended a request itself, because another size was chosen meanwhile.
    if (details !== Hls.ErrorDetails.INTERNAL_ABORTED) seen.errors.push(type + ' ' + details)
  })
  video.addEventListener('error', () => seen.errors.push(video.error.message))
  hls.loadSource(${JSON.stringify(url)})
  hls.attachMedia(video)
</script>`

/** A page of another site, once the stream can be played in it. */
async function openPlayer(): Promise<Page> {
  const script = await readFile(player)
  const { origin } = await listenDuringTest((request, response) => {
    const isScript = request.url === '/hls.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : html(streamUrl))
  })
  const page = await browser.context.newPage()
  await page.goto(`${origin}/`)
  await until(page, 'video.readyState', 4)
  return page
}

async function until(page: Page, expression: string, value: unknown): Promise<void> {
  await eventually(async () => {
    const [found, errors] = await page.evaluate<[unknown, string[]]>(`[${expression}, seen.errors]`)
    expect({ found, errors }).toEqual({ found: value, errors: [] })
  })
}

/** In all four segments, across their seams and back. */
const places = [3, 99, 100, 260, 199, 200, 301, 40, 349]

describe('a stream in a page of another site', () => {
  it('plays to its end, in each size that is chosen, and seeks to every picture', async () => {
    const page = await openPlayer()
    expect(await page.evaluate('hls.levels.map(({ height }) => height)')).toEqual([144, 240, 360])
    expect(await page.evaluate('video.duration')).toBeCloseTo(seconds, 2)
    for (const [level, height] of [
      [2, 360],
      [0, 144],
      [1, 240],
    ]) {
      await page.evaluate(`hls.currentLevel = ${level}`)
      await until(page, 'hls.currentLevel', level)
      for (const place of places) {
        // Into the middle of the picture.
        await page.evaluate(`video.currentTime = ${(place + 0.5) / fps}`)
        await until(page, `[video.videoHeight, ${shownNumber}]`, [height, place])
      }
    }
    await page.evaluate('video.currentTime = 2, video.play()')
    await until(page, 'video.currentTime > 2.2', true)
    // Without an interruption, from the next segment on.
    await page.evaluate('hls.nextLevel = 2')
    await until(page, 'video.videoHeight', 360)
    await page.evaluate('video.currentTime = 12.5')
    await until(page, 'video.ended', true)
    expect(await page.evaluate('video.currentTime')).toBeCloseTo(seconds, 1)
    await page.close()
  })

  it('shows its captions when they are turned on', async () => {
    const page = await openPlayer()
    await page.evaluate('hls.subtitleDisplay = true, hls.subtitleTrack = 0')
    const cues = `[...video.textTracks].map(({ label, language, mode, cues }) =>
      [label, language, mode, ...[...cues ?? []].map((cue) => [cue.startTime, cue.endTime, cue.text])])`
    await until(page, cues, [['English', 'en', 'showing', [2, 4, 'Good morning']]])
    await page.close()
  })
})
