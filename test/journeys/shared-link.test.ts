import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVideo, ended, untilStatus, type Json } from '../support/node/api.ts'
import { Browser } from '../support/node/browser/browser.ts'
import { eventually } from '../support/node/eventually.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { listenDuringTest } from '../support/node/listen-during-test.ts'
import type { RunningService } from '../support/node/service.ts'
import { clipsForAll, sharedService } from '../support/node/shared-service.ts'

const clips = clipsForAll()
let service: RunningService
let browser: Browser
let videos: Record<'mp4' | 'webm', Json>

beforeAll(async () => {
  const fileUrl = clips.serve('clip.mp4', await makeVideo({ seconds: 6 }))
  service = await sharedService()
  browser = await Browser.start()
  const make = async (outputFormat: string): Promise<Json> => {
    const enableTranscription = outputFormat === 'mp4'
    const request = { fileUrl, videoName: 'Übung – eins', outputFormat, enableTranscription }
    const { videoId } = await createVideo(service, request)
    return untilStatus(service, videoId, ended)
  }
  const [mp4, webm] = await Promise.all([make('mp4'), make('webm')])
  videos = { mp4, webm }
})

afterAll(async () => browser.stop())

const begin = `(() => {
  const video = document.querySelector('video')
  video.muted = true
  video.currentTime = 4
  void video.play()
})()`
const look = `(() => {
  const { duration, currentTime, videoWidth, seeking } = document.querySelector('video')
  return { duration, currentTime, videoWidth, seeking }
})()`

type Played = { duration: number; currentTime: number; videoWidth: number; seeking: boolean }

/**
 * Plays from 4 s on, and says when playback has continued from there. Called from outside, because no script runs in a
 * file's own page.
 */
async function playFromFour(page: Page): Promise<Played> {
  await eventually(async () => {
    expect(await page.evaluate(`document.querySelector('video').readyState`)).toBeGreaterThan(0)
  })
  await page.evaluate(begin)
  return eventually(async () => {
    const played = await page.evaluate<Played>(look)
    expect(played.seeking).toBe(false)
    expect(played.currentTime).toBeGreaterThan(4)
    return played
  })
}

/** A page of another origin. */
async function pageWith(html: string): Promise<string> {
  const { origin } = await listenDuringTest((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(html)
  })
  return `${origin}/`
}

describe('a shared link', () => {
  it.each(['mp4', 'webm'] as const)('opens in a browser, plays and seeks: %s', async (format) => {
    const page = await browser.context.newPage()
    const parts: number[] = []
    page.on('response', (response) => parts.push(response.status()))
    await page.goto(String(videos[format]['finalVideoUrl']))
    const played = await playFromFour(page)
    expect(played.duration).toBeCloseTo(6, 0)
    expect(played.videoWidth).toBeGreaterThan(0)
    expect(parts).toContain(206)
    await page.close()
  })

  it('saves the video under its name with ?download=1', async () => {
    const page = await browser.context.newPage()
    const saving = page.waitForEvent('download')
    // A navigation that becomes a download never finishes.
    await page.goto(`${String(videos.mp4['finalVideoUrl'])}?download=1`).catch(() => undefined)
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('Übung – eins.mp4')
    const { sizeInBytes } = videos.mp4['videoMetadata'] as { sizeInBytes: number }
    expect((await readFile(await saved.path())).length).toBe(sizeInBytes)
    await page.close()
  })

  it('plays with its captions on a page of another site', async () => {
    const { vttUrl } = videos.mp4['transcript'] as { vttUrl: string }
    const address = await pageWith(
      `<video crossorigin src="${String(videos.mp4['finalVideoUrl'])}"><track default src="${vttUrl}"></video>`,
    )
    const page = await browser.context.newPage()
    await page.goto(address)
    await playFromFour(page)
    // 2 is LOADED; 3, ERROR, means that the page may not read it.
    await eventually(async () => {
      expect(await page.evaluate(`document.querySelector('track').readyState`)).toBe(2)
    })
    await page.close()
  })
})
