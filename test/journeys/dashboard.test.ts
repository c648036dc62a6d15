import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVideo, ended, jsonOf, untilStatus } from '../support/node/api.ts'
import { Browser } from '../support/node/browser/browser.ts'
import { campaignAfter } from '../support/node/campaign.ts'
import { eventually } from '../support/node/eventually.ts'
import { findBarriers } from '../support/node/browser/find-barriers.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { ownerLinkIn } from '../support/node/browser/owner-link.ts'
import { uploadForm } from '../support/node/upload-form.ts'
import type { RunningService } from '../support/node/service.ts'
import { clipsForAll, operatorsService } from '../support/node/shared-service.ts'

const clips = clipsForAll()
let service: RunningService
let browser: Browser
let page: Page
let clip: string
const made = { ready: '', said: '', failed: '', batch: '' }

beforeAll(async () => {
  const file = await makeVideo({ seconds: 6 })
  clip = clips.serve('clip.mp4', file)
  service = operatorsService()
  browser = await Browser.start()
  page = await browser.context.newPage()
  await page.goto(ownerLinkIn(service.output))
  const speech = `${service.dev.baseUrl}/docs/examples/speech.mp4`
  const said = { fileUrl: speech, analyzeOnly: true, speakers: { count: 1 } }
  made.said = (await createVideo(service, said)).videoId
  made.ready = await send(file, {
    crop: JSON.stringify({ x: '10%', width: '50%' }),
    videoName: `Ready one ${'W'.repeat(190)}`,
    removeSegments: JSON.stringify([{ startTime: 1, endTime: 2 }]),
    enableTranscription: 'true',
    enableThumbnail: 'true',
    reuse: 'false',
  })
  const items = [{ fileUrl: clips.serve('page.mp4', import.meta.filename) }]
  const answer = await jsonOf(await service.request('/v1/batches', { json: { items } }))
  const batch = answer as { batchId: string; videoIds: string[] }
  made.batch = batch.batchId
  made.failed = batch.videoIds[0] ?? ''
  await untilStatus(service, made.failed, ended)
})

afterAll(async () => browser.stop())

/** Makes a video of a file that is sent, so that its source is kept. */
async function send(file: string, fields: Record<string, string>): Promise<string> {
  const answer = await uploadForm(service, new Uint8Array(await readFile(file)), fields)
  const { videoId } = (await answer?.json()) as { videoId: string }
  await untilStatus(service, videoId, ended)
  return videoId
}

async function open(address: string, to: Page = page): Promise<void> {
  await to.goto(new URL(address, service.dev.baseUrl).href)
}

/** Each page by what it is about. The ids are known only once the videos are made. */
const pages: Record<string, () => string> = {
  'the list of videos': () => '/app/videos',
  'a search that finds nothing': () => '/app/videos?q=nothing-like-it',
  'a video that is ready': () => `/app/videos/${made.ready}`,
  'a video beside its source': () => `/app/videos/${made.ready}/compare`,
  'a transcript with its speakers': () => `/app/videos/${made.said}`,
  'a video that failed': () => `/app/videos/${made.failed}`,
  'the batches': () => '/app/batches',
  'a batch': () => `/app/batches/${made.batch}`,
  'the keys': () => '/app/keys',
  'the webhooks': () => '/app/webhooks?secret=shown',
  'the storages': () => '/app/storages',
  'the usage': () => '/app/usage',
  'the service for its operator': () => '/app/operator',
}

/** Shows what tabs and folded parts hide, so that it is looked at too. */
const unfold = `
for (const panel of document.querySelectorAll('.panel')) panel.classList.add('open')
for (const details of document.querySelectorAll('details')) details.open = true`

const widths = [390, 360, 820, 1440]
const schemes = ['light', 'dark'] as const

describe.each(Object.entries(pages))('%s', (_, address) => {
  for (const [i, colorScheme] of schemes.entries()) {
    it(`keeps nobody out, by ${colorScheme}`, { tags: campaignAfter(1, i) }, async () => {
      await page.emulateMedia({ colorScheme })
      await open(address())
      await page.evaluate(unfold)
      expect(await findBarriers(page)).toEqual([])
    })
  }

  for (const [i, width] of widths.entries()) {
    it(`never scrolls sideways at ${width} pixels`, { tags: campaignAfter(1, i) }, async () => {
      await page.setViewportSize({ width, height: 900 })
      await open(address())
      await page.evaluate(unfold)
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(beyond)).toBe(0)
    })
  }
})

describe('a video while somebody watches', () => {
  it('appears in the list by itself, and its page shows the player when it is ready', async () => {
    await open('/app/videos')
    const { videoId } = await createVideo(service, { fileUrl: clip, videoName: 'Comes by itself' })
    await page.waitForSelector(`[data-key=${videoId}]`)
    await open(`/app/videos/${videoId}`)
    await page.waitForSelector('video[data-player]')
    await page.waitForSelector('text=Ready')
  })

  it('plays, and shows on the line of the source where it is', async () => {
    await open(`/app/videos/${made.ready}`)
    await page.locator('[data-timeline]').click()
    await eventually(async () => {
      // The middle of six seconds; one second before it was cut.
      expect(await page.evaluate(`document.querySelector('video').currentTime`)).toBeGreaterThan(
        1.9,
      )
      const head = `document.querySelector('.playhead').getAttribute('x1')`
      expect(Number(await page.evaluate(head))).toBeGreaterThan(450)
    })
  })

  it('plays together with its source, also what was cut out of it', async () => {
    await open(`/app/videos/${made.ready}/compare`)
    const both = async () =>
      page.evaluate<[number, number]>(
        `['source', 'result'].map((id) => document.getElementById(id).currentTime)`,
      )
    const moment = page.getByRole('slider', { name: 'Moment of the source' })
    await eventually(async () =>
      expect(await page.locator('#peak-result').innerText()).toMatch(/dB/),
    )
    await moment.fill('4')
    await eventually(async () => expect(await both()).toEqual([4, 3]))
    await moment.fill('1.5')
    await moment.press('Space')
    await eventually(async () => {
      const [source, result] = await both()
      expect(result).toBeGreaterThan(1.5)
      expect(Math.abs(source - 1 - result)).toBeLessThan(0.3)
    })
    await moment.press('Space')
    await page.getByText('Pause').waitFor({ state: 'hidden' })
  })

  it.each([
    ['gif', `document.querySelector('canvas#result')?.toDataURL()`],
    ['hls', `['result', 'result-sound'].map((id) => document.getElementById(id).currentTime)`],
    ['mp3', `document.querySelector('audio#result')?.currentTime`],
  ])('plays together with its source if it is only a %s', async (outputFormat, seen) => {
    const videoId = await send(await makeVideo({ seconds: 6 }), {
      removeSegments: JSON.stringify([{ startTime: 1, endTime: 2 }]),
      outputs: JSON.stringify([{ name: 'only', outputFormat }]),
    })
    await open(`/app/videos/${videoId}`)
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.locator('#clock', { hasText: 'result' }).waitFor()
    const shown = async (second: string) => {
      await page.getByRole('slider', { name: 'Moment of the source' }).fill(second)
      return eventually(async () => {
        const at = await page.evaluate(`document.querySelector('#source').currentTime`)
        const now = await page.evaluate(seen)
        expect(at).toBe(Number(second))
        expect(now).toBeTruthy()
        return now
      })
    }
    const early = await shown('0.5')
    const late = await eventually(async () => {
      const now = await shown('4')
      expect(now).not.toEqual(early)
      return now
    })
    if (outputFormat !== 'gif') expect([late].flat()).toEqual([late].flat().map(() => 3))
    expect(await page.locator('#clock').innerText()).toContain('result 0:03.0 / 0:05')
    await page.getByRole('button', { name: 'Play' }).click()
    await eventually(async () => expect(await page.evaluate(seen)).not.toEqual(late))
    await page.getByRole('button', { name: 'Play' }).waitFor()
  })

  it('is canceled from the list with the keyboard alone', async () => {
    const fileUrl = clips.stall('slow.mp4')
    const { videoId } = await createVideo(service, { fileUrl, videoName: 'Slow one' })
    await open('/app/videos?q=Slow')
    await page.waitForSelector(`[data-key=${videoId}]`)
    for (const key of ['j', 'x']) await page.keyboard.press(key)
    await page.locator('[data-bulk] [value=cancel]').focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open] >> text=Cancel 1 video?')
    await page.locator('dialog[open] [value=cancel-confirmed]').focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=1 video canceled.')
    await untilStatus(service, videoId, ['canceled'])
  })
})

describe('a video that names its speakers and shows a part of its source', () => {
  it('takes a name where it stands in the words, by the keyboard alone', async () => {
    await untilStatus(service, made.said, ended)
    await open(`/app/videos/${made.said}`)
    await page.getByRole('link', { name: 'Speaker 1' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('A name for Speaker 1').fill('Anna')
    await page.keyboard.press('Enter')
    await page.locator('[data-said] [data-who="Anna"]').first().waitFor()
    const path = `/v1/videos/${made.said}/transcript?format=txt`
    expect(await (await service.request(path)).text()).toMatch(/^Anna: /)
  })

  it('has a frame that is dragged, with which it is made again', async () => {
    await open(`/app/videos/${made.ready}`)
    const grip = page.locator('.framed .grip')
    await grip.scrollIntoViewIfNeeded()
    const { x = 0, y = 0 } = (await grip.boundingBox()) ?? {}
    await page.mouse.move(x + 50, y + 50)
    await page.mouse.down()
    await page.mouse.move(x + 90, y + 50, { steps: 2 })
    await page.mouse.up()
    const left = await page.getByLabel('from the left').inputValue()
    expect(Number(left)).toBeGreaterThan(12)
    await page.getByRole('button', { name: 'Make it again with this' }).click()
    await page.waitForURL('**/app/videos/new?*')
    const request = JSON.parse(await page.locator('#request-json').inputValue()) as object
    expect(request).toMatchObject({ crop: { x: `${left}%`, width: '50%' } })
  })

  it('has the same frame beside its result', async () => {
    await open(`/app/videos/${made.ready}/compare`)
    const frame = page.locator('.part .frame')
    await eventually(async () => expect(await frame.getAttribute('x')).toBe('10'))
    expect(await frame.getAttribute('width')).toBe('50')
  })

  it.each([
    ['is played from its address if the service has no copy', 2, /^$/],
    ['is missed if its address has a shorter film by now', 1, /not as long as/],
    ['is missed if its address has no film by now', 0, /may no longer be there/],
  ])('%s', async (_, seconds, said) => {
    const name = `far${seconds}.mp4`
    const fileUrl = clips.serve(name, await makeVideo({ seconds: 2 }))
    const { videoId } = await createVideo(service, { fileUrl, reuse: false })
    await untilStatus(service, videoId, ended)
    clips.serve(name, seconds === 0 ? import.meta.filename : await makeVideo({ seconds }))
    await open(`/app/videos/${videoId}/compare`)
    const source = page.locator('#source')
    const length = () =>
      source.evaluate((film: unknown) => (film as { duration: number }).duration || 0)
    await eventually(async () => {
      expect(await length()).toBeCloseTo(seconds, 1)
      expect(await page.locator('#moved').textContent()).toMatch(said)
    })
  })
})

it('the keys of an account get one that works, which is shown until the page is read again, and revoked by name', async () => {
  await open('/app/keys')
  await page.getByLabel('Name').fill('From the page')
  await page.getByRole('button', { name: 'Create key' }).click()
  const apiKey = (await page.locator('pre').first().innerText()).trim()
  const ask = async () =>
    fetch(`${service.dev.baseUrl}/v1/videos`, { headers: { Authorization: `Bearer ${apiKey}` } })
  expect((await ask()).status).toBe(200)
  // By then its script has made sure that a reload posts nothing.
  await page.waitForLoadState()
  await page.reload()
  expect(await page.content()).not.toContain(apiKey)
  await page.getByRole('button', { name: 'Revoke “From the page”' }).click()
  await page.locator('dialog[open]').getByRole('button', { name: 'Revoke key' }).click()
  await page.waitForSelector('text=“From the page” has been revoked')
  expect((await ask()).status).toBe(401)
})

describe('an address for webhooks', () => {
  it('that is refused leaves a page that reads its log and can be reloaded', async () => {
    await open('/app/webhooks')
    await page.getByLabel('Address').fill('https://10.0.0.1/')
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByText('Must not lead to a private or local address').waitFor()
    await page.waitForURL(/\/app\/webhooks$/)
    expect((await page.reload())?.status()).toBe(200)
  })

  it('is tried with a test event, which the log shows with its answer', async () => {
    await open('/app/webhooks')
    await page.getByLabel('Address').fill(`${clips.origin}/nothing-takes-it`)
    await page.getByRole('button', { name: 'Send a test event', exact: true }).click()
    await page.getByText('did not accept the test event').waitFor()
    await page.getByText('What was sent and answered').click()
    await page.waitForSelector('h1:has-text("webhook.test")')
    expect(await findBarriers(page)).toEqual([])
  })
})

it('a page without its service says that it is offline, and goes on by itself', async () => {
  await open('/app/videos')
  await browser.context.setOffline(true)
  await page.waitForSelector('#connection:has-text("You are offline")')
  await browser.context.setOffline(false)
  await page.waitForSelector('#connection', { state: 'hidden' })
})

it('a browser that runs no scripts shows the list and the record, and asks before it deletes', async () => {
  const plain = await browser.context.newPage()
  const session = await browser.context.newCDPSession(plain)
  await session.send('Emulation.setScriptExecutionDisabled', { value: true })
  const { videoId } = await createVideo(service, { fileUrl: clip, videoName: 'Goes away' })
  await untilStatus(service, videoId, ended)
  await open('/app/videos?q=Goes', plain)
  await plain.locator(`input[value=${videoId}]`).check()
  await plain.locator('[data-bulk] [value=delete]').click()
  await plain.locator('text=Delete 1 video?').waitFor()
  await plain.locator('[value=delete-confirmed]').click()
  await plain.locator('text=1 video deleted.').waitFor()
  await open(`/app/videos/${made.ready}`, plain)
  expect(await plain.locator('h2:has-text("Job")').isVisible()).toBe(true)
  expect(await plain.locator('.axis li').count()).toBeGreaterThan(2)
  await plain.close()
})
