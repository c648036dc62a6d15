import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createVideo, ended, untilStatus } from '../support/node/api.ts'
import { Browser } from '../support/node/browser/browser.ts'
import { eventually } from '../support/node/eventually.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { ownerLinkIn } from '../support/node/browser/owner-link.ts'
import { clipsForAll, sharedService } from '../support/node/shared-service.ts'

const clips = clipsForAll()
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  const service = await sharedService()
  const { videoId } = await createVideo(service, {
    fileUrl: clips.serve('clip.mp4', await makeVideo({ seconds: 4, size: '320x180' })),
    outputs: [
      { name: 'part', startTime: 2 },
      { name: 'line', outputFormat: 'sprite', interval: 1 },
    ],
  })
  await untilStatus(service, videoId, ended)
  browser = await Browser.start()
  page = await browser.context.newPage()
  page.on('console', (said) => {
    if (said.type() === 'error') complaints.push(said.text())
  })
  await page.goto(ownerLinkIn(service.output))
  await page.goto(new URL(`/app/videos/${videoId}`, service.dev.baseUrl).href)
})
afterAll(async () => browser.stop())

/** Which picture is shown, by its column on the sheet; undefined while none is. */
const column = async (): Promise<unknown> =>
  page.evaluate(`(() => {
    const box = document.querySelector('.glimpse')
    if (box.hidden) return undefined
    const { backgroundPosition, width } = box.querySelector('i').style
    return -parseInt(backgroundPosition) / parseInt(width)
  })()`)

it('the line under a player whose request made small pictures shows those of the film in it, by pointer, finger and key, as long as they are asked for', async () => {
  const line = page.getByRole('slider', { name: 'Moment of the video' })
  await line.waitFor()
  const { x, y, width, height } = (await line.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  const at = (share: number) => [x + width * share, y + height / 2] as const
  // The film begins with the third second of what the pictures show.
  await page.mouse.move(...at(0.25))
  await eventually(async () => expect(await column()).toBe(2))
  await page.mouse.move(...at(0.75))
  await eventually(async () => expect(await column()).toBe(3))
  await page.mouse.move(x, y + 200)
  expect(await column()).toBeUndefined()
  await line.focus()
  await page.keyboard.press('End')
  await eventually(async () => expect(await column()).toBe(3))
  expect(await line.getAttribute('aria-valuetext')).toBe('0:02')
  await line.blur()
  expect(await column()).toBeUndefined()
  await page.mouse.click(...at(0.25))
  await eventually(async () => {
    const time = await page.evaluate(`document.querySelector('video').currentTime`)
    expect(time).toBeCloseTo(0.5, 0)
  })
  expect(complaints).toEqual([])
})
