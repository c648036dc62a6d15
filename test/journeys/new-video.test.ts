import { execFile } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ended, untilStatus } from '../support/node/api.ts'
import { Browser } from '../support/node/browser/browser.ts'
import { campaignAfter } from '../support/node/campaign-after.ts'
import { eventually } from '../support/node/eventually.ts'
import { findBarriers } from '../support/node/browser/find-barriers.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { aLargeClip } from '../support/node/large-clip.ts'
import { ownerLinkIn } from '../support/node/owner-link.ts'
import type { RunningService } from '../support/node/service.ts'
import { sharedService } from '../support/node/shared-service.ts'

let service: RunningService
let browser: Browser
let page: Page
let small: string
let large: string
let folder: string

beforeAll(async () => {
  service = await sharedService()
  small = await makeVideo({ seconds: 4 })
  folder = await mkdtemp(path.join(tmpdir(), 'spool-new-video-'))
  large = path.join(folder, 'large.mp4')
  await writeFile(large, await aLargeClip())
  browser = await Browser.start()
  page = await browser.context.newPage()
  await page.goto(ownerLinkIn(service.output))
})

afterAll(async () => {
  await browser.stop()
  await rm(folder, { recursive: true })
})

const open = async (query = '') =>
  page.goto(new URL(`/app/videos/new${query}`, service.dev.baseUrl).href)
const sent = (to: Page = page) => to.waitForSelector('[data-sending-state]:text-is("Sent.")')
const create = async () => page.getByRole('button', { name: 'Create video' }).click()
const request = async () =>
  JSON.parse(await page.inputValue('#request-json')) as Record<string, unknown>

const at = (name: string) => path.join(folder, name)

/** What a person does with a mouse; Playwright has no call for files that are dropped. */
async function drop(files: string[]): Promise<void> {
  const devtools = await browser.context.newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  }
  await devtools.detach()
}

/** How much of the upper part of the strip is drawn, and whether something is in the lower one. */
const drawnShares = async (): Promise<unknown> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('[data-film]')
    const { width, height } = canvas
    const bytes = canvas.getContext('2d').getImageData(0, 0, width, height).data
    const isDrawn = (x, y) => bytes[(y * width + x) * 4 + 3] > 0
    const columns = [...Array(width).keys()]
    return {
      pictures: columns.filter((x) => isDrawn(x, 20)).length / width,
      sound: columns.some((x) => isDrawn(x, height - 16)),
    }
  })()`)

const frame = { width: 270, height: 480 }

/** The edges of what has this colour in a picture, as shares of its width and height: left, right, top, bottom; undefined for none. */
async function boxOf(
  file: string,
  [red, green, blue]: readonly [number, number, number],
  seconds = 0,
): Promise<readonly number[] | undefined> {
  const { width, height } = frame
  const raw = ['-vf', `scale=${width}:${height}`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  const from = ['-v', 'error', '-ss', String(seconds), '-i', file, '-frames:v', '1']
  const { stdout } = await promisify(execFile)('ffmpeg', [...from, ...raw], {
    encoding: 'buffer',
    maxBuffer: width * height * 4,
  })
  const isNear = (place: number, value: number) => Math.abs((stdout[place] ?? 0) - value) < 70
  const found = [...Array(width * height).keys()].filter(
    (i) => isNear(i * 3, red) && isNear(i * 3 + 1, green) && isNear(i * 3 + 2, blue),
  )
  const [across, down] = [found.map((i) => i % width), found.map((i) => Math.floor(i / width))]
  if (found.length < 100) return undefined
  return [
    ...[Math.min(...across) / width, Math.max(...across) / width],
    ...[Math.min(...down) / height, Math.max(...down) / height],
  ]
}

/** A hundredth of the frame is two pixels of the preview. */
function isNear(seen: readonly number[] | undefined, drawn: readonly number[] | undefined): void {
  expect(seen === undefined).toBe(drawn === undefined)
  seen?.forEach((edge, i) => expect(Math.abs(edge - (drawn?.[i] ?? 0))).toBeLessThan(0.012))
}

const lookAt = async (seconds: number): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const clip = document.querySelector('[data-clip]')
    clip.addEventListener('seeked', resolve, { once: true })
    clip.currentTime = ${seconds}
  })`)

async function createdId(): Promise<string> {
  await page.waitForURL(/\/app\/videos\/v_\w+$/)
  return page.url().split('/').at(-1) ?? ''
}

describe('a new video', () => {
  it('is made of a file with what was chosen by hand, by strip and by frame', async () => {
    await open()
    await page.setInputFiles('#file', small)
    await sent()
    await page.getByLabel('Name', { exact: true }).fill('From a file')
    await page.getByText('9:16').click()
    await page.waitForSelector('[data-player]:visible')
    await page.locator('#field-captions').check()
    await page.getByText('Word by word').click()
    expect(await page.locator('[data-sample]').isVisible()).toBe(true)
    const word = `getComputedStyle(document.querySelector('[data-sample] .said')).color`
    expect(await page.evaluate(word)).toBe('rgb(255, 225, 0)')
    await page.locator('#field-captions').uncheck()
    // The strip has pictures above and the sound below.
    await eventually(async () => expect(await drawnShares()).toEqual({ pictures: 1, sound: true }))
    const strip = await page.locator('[data-ranges]').boundingBox()
    if (!strip) throw new Error('There is no strip')
    await page.mouse.move(strip.x + strip.width * 0.25, strip.y + 8)
    await page.mouse.down()
    await page.mouse.move(strip.x + strip.width * 0.5, strip.y + 8, { steps: 3 })
    await page.mouse.up()
    await page.getByRole('slider', { name: 'Segment 1 ends' }).press('Shift+ArrowRight')
    const { removeSegments } = await request()
    expect(removeSegments).toEqual([{ startTime: 1, endTime: 3 }])
    await create()
    const record = await untilStatus(service, await createdId(), ended)
    expect(record).toMatchObject({
      status: 'succeeded',
      videoName: 'From a file',
      aspectRatio: '9:16',
      removeSegments: [{ startTime: 1, endTime: 3 }],
    })
  })

  it('goes on with its upload after a reload, and sends no part twice', async () => {
    await open()
    const parts: string[] = []
    const first = Promise.withResolvers<void>()
    await page.route('**/parts/**', async (route) => {
      parts.push(new URL(route.request().url()).pathname)
      if (parts.length > 1) return first.promise.then(async () => route.abort())
      await route.fulfill({ response: await route.fetch() })
      first.resolve()
    })
    await page.setInputFiles('#file', large)
    await page.waitForSelector('[data-sending-state]:has-text("Trying again")')
    const arrived = parts[0]
    await page.reload()
    await page.unroute('**/parts/**')
    await page.waitForSelector('[data-drop]:has-text("Choose it again")')
    const again: string[] = []
    page.on('request', (sending) => again.push(new URL(sending.url()).pathname))
    await page.setInputFiles('#file', large)
    await sent()
    expect(again.filter((address) => address.startsWith('/parts/'))).toHaveLength(2)
    expect(again.map((address) => address.split('.')[1])).not.toContain(arrived?.split('.')[1])
  })

  it('waits while the machine is offline, then goes on and is created by itself', async () => {
    await open()
    await page.evaluate('localStorage.clear()')
    await browser.context.setOffline(true)
    await page.setInputFiles('#file', large)
    await page.waitForSelector('[data-sending-state]:has-text("You are offline")')
    await create()
    await page.waitForSelector('#state:has-text("as soon as the file is there")')
    await browser.context.setOffline(false)
    expect(await createdId()).toMatch(/^v_/)
  })

  it('says what is wrong with a file where it is chosen, sends nothing of it, and keeps a good one', async () => {
    await open()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    const fault = page.locator('[data-file-fault]')
    const files = { 'empty.mp4': '', 'notes.mp4': 'Dear Ana,' }
    for (const [name, bytes] of Object.entries(files)) await writeFile(at(name), bytes)
    await writeFile(at('huge.mp4'), '\0\0\0\x18ftypisom')
    await truncate(at('huge.mp4'), 3e9)
    await page.setInputFiles('#file', at('empty.mp4'))
    await fault.getByText('“empty.mp4” is empty.').waitFor()
    await page.setInputFiles('#file', at('notes.mp4'))
    await fault.getByText('“notes.mp4” is not a video that can be used here.').waitFor()
    await page.setInputFiles('#file', at('huge.mp4'))
    await fault.getByText('“huge.mp4” is too large: it has 3 GB').waitFor()
    await drop([folder])
    await fault.getByText('is a folder. Drop a video file instead.').waitFor()
    await drop([at('empty.mp4'), at('notes.mp4')])
    await fault.getByText('Drop one file at a time.').waitFor()
    await create()
    await fault.getByText('Choose a file first.').waitFor()
    await page.setInputFiles('#file', small)
    await sent()
    expect(await fault.isVisible()).toBe(false)
    await drop([at('notes.mp4')])
    await fault.getByText('“notes.mp4” is not a video').waitFor()
    expect((await request())['uploadId']).toMatch(/^u_/)
    expect(errors).toEqual([])
    page.removeAllListeners('console')
  })

  it('waits while the machine is offline, and says so', async () => {
    await open()
    await browser.context.setOffline(true)
    await page.setInputFiles('#file', small)
    try {
      const state = page.locator('[data-sending-state]')
      await state.getByText('You are offline. The upload goes on by itself').waitFor()
    } finally {
      await browser.context.setOffline(false)
    }
    await sent()
  })

  it('shows what the API refuses where it belongs, and goes to the first', async () => {
    await open()
    await page.getByText('An address', { exact: true }).click()
    await page.locator('#field-fileUrl').fill('ftp://example.com/a.mp4')
    await page.getByRole('button', { name: 'Add image' }).click()
    await create()
    await page.waitForSelector('#faults:has-text("2 things have to be changed")')
    const fileUrl = page.locator('#field-fileUrl')
    expect(await page.evaluate('document.activeElement.id')).toBe('field-fileUrl')
    expect(await page.locator('[id="field-elements[0].url-error"]').textContent()).toMatch(
      /Required/,
    )
    await fileUrl.fill('https://example.com/a.mp4')
    expect(await page.locator('#field-fileUrl-error').count()).toBe(0)
    // What is left to do is what the banner says.
    await page.waitForSelector('#faults:has-text("One thing has to be changed")')
    await page.locator('[name="elements[0].url"]').fill('https://example.com/logo.png')
    expect(await page.locator('#faults').isVisible()).toBe(false)
    await fileUrl.fill('/home/ana/talk.mp4')
    await create()
    await page.getByText('This is a file on your own disk. Choose “A file” above').first().waitFor()
  })

  it('follows the request that is written by hand, and says where it cannot be read', async () => {
    await open()
    const editor = page.locator('#request-json')
    await page.getByRole('tab', { name: 'JSON' }).click()
    await editor.fill(
      JSON.stringify({
        files: [{ url: 'https://example.com/a.mp4' }, { url: 'https://example.com/b.mp4' }],
        combine: true,
        rotate: 90,
        mirror: 'left',
      }),
    )
    expect(await page.inputValue('[name="files[1].url"]')).toBe('https://example.com/b.mp4')
    expect(await page.isChecked('[name=rotate][value="90"]')).toBe(true)
    expect(await page.locator('[data-plan] li').allTextContents()).toEqual([
      'fetch 2 clips',
      'join them in this order',
      'turn the picture by 90° clockwise',
      'save it as MP4 at quality 100',
    ])
    await page.getByRole('button', { name: 'Move up' }).nth(1).click()
    expect(await request()).toEqual({
      files: [{ url: 'https://example.com/b.mp4' }, { url: 'https://example.com/a.mp4' }],
      combine: true,
      rotate: 90,
      mirror: 'left',
    })
    await editor.fill('{"rotate": 90,\n}')
    expect(await page.textContent('#request-fault')).toContain('line 2, column 1')
  })

  it('shows the pauses and the words of a clip, and cuts what is struck out', async () => {
    await open('?example')
    const { fileUrl } = await request()
    expect(fileUrl).toMatch(/speech\.mp4$/)
    await page.waitForSelector('[data-player]:visible')
    await page.getByRole('button', { name: 'Find the pauses and words' }).click()
    await page.waitForSelector('.word')
    const words = (await page.locator('.word').allTextContents()).map((word) => word.trim())
    const [from, to] = [words.indexOf('my'), words.indexOf('Americans')]
    expect(to).toBe(from + 2)
    expect(await page.locator('.pause').count()).toBeGreaterThan(0)
    expect(await page.locator('.pause.goes').count()).toBe(0)
    await page.getByLabel('Cut the pauses').check()
    const drawn = await page.locator('.pause').count()
    expect(await page.locator('.pause.goes').count()).toBe(drawn)
    await page.locator('.word').nth(from).click()
    await page
      .locator('.word')
      .nth(to)
      .click({ modifiers: ['Shift'] })
    const struck = page.locator('.word[aria-pressed=true]')
    expect((await struck.allTextContents()).map((word) => word.trim())).toEqual(
      words.slice(from, to + 1),
    )
    expect(await request()).toMatchObject({ removeSilence: true, removeSegments: [{}] })
    await struck.first().click()
    expect(await struck.count()).toBe(2)
    await page.getByText('Write down what is said').click()
    await create()
    const record = await untilStatus(service, await createdId(), ended)
    expect(record).toMatchObject({ status: 'succeeded' })
    const { text } = record['transcript'] as { text: string }
    expect(text).toContain('my')
    expect(text).not.toMatch(/fellow|Americans/)
  })

  it('shows texts and captions where and when they are drawn, in a pause and around a cut too', async () => {
    await open('?example')
    const { fileUrl } = await request()
    // The cut takes a part of the word before it: nothing of that word is shown.
    const cut = { startTime: 8.9, endTime: 10 }
    const asked = {
      fileUrl,
      aspectRatio: '9:16',
      removeSegments: [cut],
      elements: [
        {
          ...{ type: 'text', text: 'The first chapter of all', color: '#0000FF' },
          ...{ background: '#00FF00', fontSize: '7%', position: { anchor: 'top-center' } },
        },
      ],
      captions: { style: 'box', background: '#FF00FF' },
    }
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.fill('#request-json', JSON.stringify(asked))
    await page.getByRole('button', { name: 'Find the pauses and words' }).click()
    await page.waitForSelector('.word')
    const moments = [1.5, 5.2, 8.6, 9.4, 10.3]
    const shown: string[] = []
    for (const [i, moment] of moments.entries()) {
      await lookAt(moment)
      const picture = path.join(folder, `shown-${i}.png`)
      await page.locator('[data-frame]').screenshot({ path: picture })
      shown.push(picture)
    }
    await create()
    const record = await untilStatus(service, await createdId(), ended)
    const made = path.join(folder, 'made.mp4')
    const answer = await fetch(String(record['finalVideoUrl']))
    await writeFile(made, Buffer.from(await answer.arrayBuffer()))
    const text = [0, 255, 0] as const
    const box = [255, 0, 255] as const
    isNear(await boxOf(shown[0] ?? '', text), await boxOf(made, text, 1.5))
    const seen = await Promise.all(shown.map(async (picture) => boxOf(picture, box)))
    expect(seen.map((edges) => edges !== undefined)).toEqual([true, false, true, false, true])
    for (const [i, moment] of moments.entries()) {
      if (moment > cut.startTime && moment < cut.endTime) continue
      const later = moment < cut.startTime ? moment : moment - cut.endTime + cut.startTime
      isNear(seen[i], await boxOf(made, box, later))
    }
  })

  it('moves captions up and down by hand and by keys', async () => {
    await open('?example')
    await page.waitForSelector('[data-player]:visible')
    await page.locator('#field-captions').check()
    const captions = page.getByRole('slider', { name: /Place of the captions/ })
    const { captions: whole } = await request()
    expect(whole).toEqual({})
    const [before, frame] = [
      await captions.boundingBox(),
      await page.locator('[data-frame]').boundingBox(),
    ]
    if (!before || !frame) throw new Error('There are no captions')
    const [x, y] = [before.x + before.width / 2, before.y + before.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y - frame.height / 4, { steps: 3 })
    await page.mouse.up()
    const after = await captions.boundingBox()
    expect((before.y - (after?.y ?? 0)) / frame.height).toBeCloseTo(0.25, 1)
    expect(await page.getByLabel('By hand').isChecked()).toBe(true)
    const placed = async () =>
      Number.parseFloat(((await request())['captions'] as { position: { y: string } }).position.y)
    const dragged = await placed()
    await captions.press('ArrowUp')
    await captions.press('Shift+ArrowUp')
    expect(await placed()).toBeCloseTo(dragged - 11, 1)
    // The rest of what captions look like leaves them where they are.
    await page.getByText('Word by word').click()
    expect(await placed()).toBeCloseTo(dragged - 11, 1)
    await page.locator('.choice', { hasText: 'Where' }).getByText('Top', { exact: true }).click()
    expect(await request()).toMatchObject({ captions: { position: 'top' } })
  })

  it('starts from a preset, and keeps one', async () => {
    await open()
    await page.getByText('Clean talk').click()
    expect(await page.getByLabel('Cut the pauses').isChecked()).toBe(true)
    await page.getByLabel('Take out background noise').uncheck()
    expect(await request()).toEqual({ preset: 'clean-talk', removeNoise: false })
    await page.getByText('Keep these options as a preset').click()
    await page.getByLabel('Name of the preset').fill('quiet-talk')
    await page.getByRole('button', { name: 'Save preset' }).click()
    await eventually(async () => expect(await request()).toEqual({ preset: 'quiet-talk' }))
  })
})

describe('the page of a new video', () => {
  for (const [i, colorScheme] of (['light', 'dark'] as const).entries()) {
    it(`keeps nobody out, by ${colorScheme}`, { tags: campaignAfter(1, i) }, async () => {
      await page.emulateMedia({ colorScheme })
      await open()
      for (const kind of ['image', 'sound']) {
        await page.getByRole('button', { name: `Add ${kind}` }).click()
      }
      await page.setInputFiles('#file', small)
      await page.waitForSelector('[data-player]:visible')
      await page.getByRole('button', { name: 'Cut to here' }).click()
      await page.evaluate(`for (const panel of document.querySelectorAll('.panel')) panel.classList.add('open')
      for (const details of document.querySelectorAll('details')) details.open = true`)
      expect(await findBarriers(page)).toEqual([])
    })
  }

  for (const [i, width] of [390, 360, 820, 1440].entries()) {
    it(`never scrolls sideways at ${width} pixels`, { tags: campaignAfter(1, i) }, async () => {
      await page.setViewportSize({ width, height: 900 })
      await open()
      await page.getByRole('button', { name: 'Add image' }).click()
      await page.evaluate(
        `for (const details of document.querySelectorAll('details')) details.open = true`,
      )
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(beyond)).toBe(0)
    })
  }
})
