import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NewVideoPage } from '../support/node/browser/new-video-page.ts'

let making: NewVideoPage
let page: Page

beforeAll(async () => {
  making = await NewVideoPage.start()
  page = making.page
})
afterAll(async () => making.stop())

/** Opens a page of a video that has only this, with the scripts of the service. */
async function openWith(videoId: string, parts: string): Promise<void> {
  const body = `<!doctype html><script type="module" src="/scripts/video.js"></script>
    <div data-video="${videoId}">${parts}</div>`
  await page.route(`**/app/videos/${videoId}`, async (route) =>
    route.fulfill({ contentType: 'text/html', body }),
  )
  await page.goto(new URL(`/app/videos/${videoId}`, making.service.dev.baseUrl).href)
}

describe('the frames of a result', () => {
  it('are sent where they were changed, and can all be changed afterwards', async () => {
    const scenes = [0, 1].map(
      (i) => `<li data-scene="${i},${i + 1}">
        <select name="mode${i}"><option selected>crop</option><option>wide</option></select>
        <input name="x${i}" type="number" value="50"></li>`,
    )
    await openWith(
      'v_frames',
      `<form action="/app/videos/new" data-frames><input type="hidden" name="from" value="v_frames">
       <ol>${scenes.join('')}</ol><button>Make it again</button></form>`,
    )
    await page.locator('[name=x1]').fill('20')
    // With this answer the page stays as it is, as a browser keeps it to go back to.
    await page.route('**/app/videos/new?*', async (route) => route.fulfill({ status: 204 }))
    const sent = page.waitForResponse('**/app/videos/new?*')
    await page.getByRole('button', { name: 'Make it again' }).click()
    expect(new URL((await sent).url()).search).toBe('?from=v_frames&mode1=crop&x1=20')
    expect(await page.locator('[name=x0]').isEnabled()).toBe(true)
  })
})
