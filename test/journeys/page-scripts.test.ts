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

describe('the search of the list', () => {
  it('shows what was typed last, although an earlier search is answered later', async () => {
    const listOf = (found: string) =>
      `<!doctype html><script type="module" src="/scripts/videos.js"></script>
       <form action="/app/videos"><input name="q" data-search></form>
       <ul class="videos" data-region="videos"><li>Found: ${found}</li></ul>`
    let answerFirst = () => {}
    const held = new Promise<void>((resolve) => (answerFirst = resolve))
    await page.route(/\/app\/videos(\?|$)/, async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') ?? ''
      if (q === 'a') await held
      await route.fulfill({ contentType: 'text/html', body: listOf(q) })
    })
    await page.goto(new URL('/app/videos', making.service.dev.baseUrl).href)
    const asked = page.waitForRequest(/\?q=a$/)
    await page.locator('[name=q]').fill('a')
    const first = await asked
    await page.locator('[name=q]').fill('ab')
    await page.getByText('Found: ab').waitFor()
    answerFirst()
    await (await first.response())?.finished()
    await page.evaluate('new Promise(requestAnimationFrame)')
    expect(await page.locator('li').innerText()).toBe('Found: ab')
    await page.unroute(/\/app\/videos(\?|$)/)
  })
})

describe('the player', () => {
  it('is shown in a corner while it plays out of sight, and goes back when it is stopped or seen', async () => {
    await openWith(
      'v_played',
      `<div data-region="stage" style="height: 200px"><div class="stage">
         <video data-player muted loop src="/docs/examples/talk.mp4"></video></div></div>
       <div style="height: 3000px"></div><ol data-said><li><p><span data-at="1">words</span></p></li></ol>`,
    )
    const corner = page.locator('.stage.corner')
    const heightOfPage = async () => page.evaluate<number>('document.documentElement.scrollHeight')
    const before = await heightOfPage()
    await page.getByText('words').click()
    await corner.waitFor()
    expect(await heightOfPage()).toBe(before)
    await page.evaluate('document.querySelector("video").pause()')
    await corner.waitFor({ state: 'detached' })
    await page.getByText('words').click()
    await corner.waitFor()
    await page.evaluate('scrollTo(0, 0)')
    await corner.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.querySelector("video").paused')).toBe(false)
  })
})

describe('the names of speakers', () => {
  it('are said to be saved although the page cannot be read again, and not to be where they are not', async () => {
    await openWith(
      'v_named',
      `<ol data-said><li><strong><a href="#" data-who="Speaker 1">Speaker 1</a></strong></li></ol>
       <details data-region="speakers"><summary>Speakers</summary><form data-speakers><input type="hidden" name="heard" value="Speaker 1">
       <input type="hidden" name="was" value="Speaker 1"><input name="name" value="Speaker 1">
       <button>Save names</button><p data-fault></p></form></details>`,
    )
    const answers = [{ status: 500 }, { status: 200 }]
    await page.route('**/app/api/videos/v_named', async (route) => {
      const speakers = [{ name: 'Anna', seconds: 1, heardAs: ['Speaker 1'] }]
      return route.fulfill({
        ...answers.shift(),
        json: { videoId: 'v_named', transcript: { speakers } },
      })
    })
    await page.unroute('**/app/videos/v_named')
    await page.route('**/app/videos/v_named', async (route) => route.fulfill({ status: 500 }))
    await page.locator('summary').click()
    await page.locator('[name=name]').fill('Anna')
    const save = page.getByRole('button', { name: 'Save names' })
    const fault = page.locator('[data-fault]')
    await save.click()
    await fault.filter({ hasText: /\S/ }).waitFor()
    expect(await fault.textContent()).not.toContain('saved. Load')
    expect(await page.locator('[data-who]').textContent()).toBe('Speaker 1')
    await save.click()
    await fault.filter({ hasText: 'The names are saved. Load this page again' }).waitFor()
    expect(await page.locator('[data-who]').textContent()).toBe('Anna')
  })
})
