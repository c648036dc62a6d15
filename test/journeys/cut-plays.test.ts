import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Browser } from '../support/node/browser/browser.ts'
import { shownNumber } from '../support/node/browser/shown-number.ts'
import { eventually } from '../support/node/eventually.ts'
import { listenDuringTest } from '../support/node/listen-during-test.ts'
import { countedVideo, keptOf, someCuts } from '../support/containers/films/counted-video.ts'
import { cutFilm } from '../support/containers/films/cut-film.ts'

const fps = 25
const keptNumbers = keptOf(100, someCuts)

let browser: Browser

beforeAll(async () => {
  browser = await Browser.start()
})
afterAll(async () => browser.stop())

/** Serves a page with the video, in pieces as players ask for them. */
async function serve(file: string): Promise<string> {
  const { size } = await stat(file)
  const { origin } = await listenDuringTest((request, response) => {
    if (request.url === '/') {
      response.setHeader('Content-Type', 'text/html')
      response.end(`<video muted src="/${path.basename(file)}"></video>`)
      return
    }
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? []
    const [start, end] = [Number(from), to === '' ? size - 1 : Number(to)]
    response.writeHead(206, {
      'Content-Type': file.endsWith('.webm') ? 'video/webm' : 'video/mp4',
      'Content-Length': end - start + 1,
      'Content-Range': `bytes ${start}-${end}/${size}`,
    })
    createReadStream(file, { start, end }).pipe(response)
  })
  return `${origin}/`
}

const h264 = (params: string) => [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-fps_mode', 'vfr'],
  ...['-x264-params', params],
]
const vp9 = [
  ...['-c:v', 'libvpx-vp9', '-crf', '20', '-b:v', '0', '-g', '20', '-cpu-used', '5'],
  ...['-pix_fmt', 'yuv420p', '-fps_mode', 'vfr', '-auto-alt-ref', '1', '-lag-in-frames', '16'],
]
const kinds = {
  'closed groups': h264('keyint=20:bframes=3:b-adapt=0:b-pyramid=normal:scenecut=0'),
  'open groups': h264('keyint=20:open-gop=1:bframes=2:b-adapt=0:scenecut=0'),
  'VP9 in WebM': vp9,
}

describe('a film that is cut as it is stored, in Chromium', { tags: 'campaign' }, () => {
  for (const [kind, coding] of Object.entries(kinds)) {
    it(`shows every picture at its place, around every seam and wherever one seeks: ${kind}`, async () => {
      const extension = coding === vp9 ? 'webm' : 'mp4'
      const source = await countedVideo({ seconds: 4, fps, sound: null, coding, extension })
      const { file } = await cutFilm(source, someCuts)
      const page = await browser.context.newPage()
      await page.goto(await serve(file))
      for (const [i, number] of keptNumbers.entries()) {
        // Into the middle of the picture.
        const place = (i + 0.5) / fps
        await page.evaluate(`document.querySelector('video').currentTime = ${place}`)
        await eventually(async () => {
          expect(await page.evaluate(shownNumber), `picture ${i}`).toBe(number)
        })
      }
    })
  }
})
