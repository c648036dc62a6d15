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

describe('the form that names speakers', () => {
  it('changes no name that another page has given since', async () => {
    const heard = ['Speaker 1', 'Speaker 2']
    const fields = heard.map(
      (name) => `<input type="hidden" name="heard" value="${name}">
        <input type="hidden" name="was" value="${name}"><input name="name" value="${name}">`,
    )
    const speakers = [
      { name: 'Speaker 1', seconds: 2 },
      { name: 'Ben', seconds: 1, heardAs: ['Speaker 2'] },
    ]
    await page.route('**/app/api/videos/v_speakers', async (route) =>
      route.fulfill({ json: { videoId: 'v_speakers', transcript: { speakers } } }),
    )
    await openWith(
      'v_speakers',
      `<form data-speakers>${fields.join('')}<p data-fault></p></form>
       <p data-said><a href="#" data-who="Speaker 1">Speaker 1</a></p>`,
    )
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('link', { name: 'Speaker 1' }).click()
    await page.getByLabel('A name for Speaker 1').fill('Anna')
    await page.keyboard.press('Enter')
    expect((await sent).postDataJSON()).toEqual({
      speakerNames: { 'Speaker 1': 'Anna', 'Speaker 2': 'Ben' },
    })
  })
})

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
