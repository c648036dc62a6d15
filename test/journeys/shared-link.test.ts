import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVideo, ended, untilStatus, type Json } from '../support/node/api.ts'
import { Browser } from '../support/node/browser.ts'
import { ClipServer } from '../support/node/clip-server.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { aPlace, removePlace, RunningService } from '../support/node/service.ts'

let clips: ClipServer
let service: RunningService
let browser: Browser
let videos: Record<'mp4' | 'webm', Json>

beforeAll(async () => {
  clips = await ClipServer.start()
  const fileUrl = clips.serve('clip.mp4', await makeVideo({ seconds: 6 }))
  service = await RunningService.start(await aPlace(), { RATE_LIMITS: '100000/60' })
  browser = await Browser.start()
  const make = async (outputFormat: string): Promise<Json> => {
    const request = { fileUrl, videoName: 'Übung – eins', outputFormat, enableTranscription: true }
    const { videoId } = await createVideo(service, request)
    return untilStatus(service, videoId, ended)
  }
  videos = { mp4: await make('mp4'), webm: await make('webm') }
})

afterAll(async () => {
  await browser.stop()
  await service.stop()
  await clips.close()
  await removePlace(service.place)
})

/** Runs in the browser: how long the video on the page is, and where it is after it was told to play from 4 s on. */
const playFromFour = `(async () => {
  const video = document.querySelector('video')
  const heard = (name) => new Promise((resolve, reject) => {
    video.addEventListener(name, resolve, { once: true })
    video.addEventListener('error', () => reject(new Error(video.error.message)), { once: true })
  })
  if (video.readyState < 1) await heard('loadedmetadata')
  video.muted = true
  const seeked = heard('seeked')
  video.currentTime = 4
  await seeked
  await video.play()
  await heard('timeupdate')
  return { duration: video.duration, time: video.currentTime, width: video.videoWidth }
})()`

type Played = { duration: number; time: number; width: number }

/** A page of another origin. */
async function pageWith(html: string): Promise<Server & { url: string }> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(server, { url: `http://127.0.0.1:${port}/` })
}

describe('a link that was handed on', () => {
  it.each(['mp4', 'webm'] as const)('opens in a browser, plays and seeks: %s', async (format) => {
    const page = await browser.context.newPage()
    const parts: number[] = []
    page.on('response', (response) => parts.push(response.status()))
    await page.goto(String(videos[format]['finalVideoUrl']))
    const played = await page.evaluate<Played>(playFromFour)
    expect(played.duration).toBeCloseTo(6, 0)
    expect(played.time).toBeGreaterThanOrEqual(4)
    expect(played.width).toBeGreaterThan(0)
    expect(parts).toContain(206)
    await page.close()
  })

  it('saves the video under its name with ?download=1', async () => {
    const page = await browser.context.newPage()
    const saving = page.waitForEvent('download')
    // A navigation that becomes a download never arrives anywhere.
    await page.goto(`${String(videos.mp4['finalVideoUrl'])}?download=1`).catch(() => undefined)
    const saved = await saving
    expect(saved.suggestedFilename()).toBe('Übung – eins.mp4')
    const { sizeInBytes } = videos.mp4['videoMetadata'] as { sizeInBytes: number }
    expect((await readFile(await saved.path())).length).toBe(sizeInBytes)
    await page.close()
  })

  it('plays with its captions on a page of somebody else', async () => {
    const { vttUrl } = videos.mp4['transcript'] as { vttUrl: string }
    const server = await pageWith(
      `<video crossorigin src="${String(videos.mp4['finalVideoUrl'])}"><track default src="${vttUrl}"></video>`,
    )
    const page = await browser.context.newPage()
    await page.goto(server.url)
    const played = await page.evaluate<Played>(playFromFour)
    expect(played.time).toBeGreaterThanOrEqual(4)
    // 2 is LOADED; what the page may not read is 3, ERROR.
    await page.waitForFunction(`document.querySelector('track').readyState >= 2`)
    expect(await page.evaluate(`document.querySelector('track').readyState`)).toBe(2)
    await page.close()
    server.close()
  })
})
