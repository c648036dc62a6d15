import { truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ended, untilStatus } from '../support/node/api.ts'
import { campaignAfter } from '../support/node/campaign.ts'
import { eventually } from '../support/node/eventually.ts'
import { findBarriers } from '../support/node/browser/find-barriers.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { aLargeClip } from '../support/node/large-clip.ts'
import { NewVideoPage } from '../support/node/browser/new-video-page.ts'

let making: NewVideoPage
let page: Page
let small: string
let large: string

beforeAll(async () => {
  making = await NewVideoPage.start()
  page = making.page
  small = await makeVideo({ seconds: 4 })
  large = at('large.mp4')
  await writeFile(large, await aLargeClip())
})
afterAll(async () => making.stop())

const sent = async () => page.waitForSelector('[data-sending-state]:text-is("Sent.")')
const at = (name: string) => path.join(making.folder, name)

/** Which part of a file a request sends; empty for other requests. */
function partOf(sending: Request): string {
  return /\/parts\/[^.]*\.([^.]*)/.exec(new URL(sending.url()).pathname)?.[1] ?? ''
}

/** What a person does with a mouse; Playwright has no call for files that are dropped. */
async function drop(files: string[]): Promise<void> {
  const devtools = await making.browser.context.newCDPSession(page)
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

describe('a new video', () => {
  it('is made of a file with what was chosen by hand, by strip and by frame', async () => {
    await making.open()
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
    const { removeSegments } = await making.request()
    expect(removeSegments).toEqual([{ startTime: 1, endTime: 3 }])
    await making.create()
    const record = await untilStatus(making.service, await making.createdId(), ended)
    expect(record).toMatchObject({
      status: 'succeeded',
      videoName: 'From a file',
      aspectRatio: '9:16',
      removeSegments: [{ startTime: 1, endTime: 3 }],
    })
  })

  it('lays a picture of the own disk over a video, for as long as the bar below the strip says', async () => {
    await making.open()
    await page.setInputFiles('#file', small)
    await sent()
    await page.locator('[data-list=elements] > p > [data-add=image]').click()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.locator('[data-list=elements] [data-pick]').click(),
    ])
    await chooser.setFiles(path.join(import.meta.dirname, '../../docs/examples/logo.png'))
    await page.waitForSelector('[data-picked]:text-is("logo.png, sent.")')
    const drawn = `getComputedStyle(document.querySelector('.overlay')).backgroundImage`
    expect(await page.evaluate(drawn)).toContain('blob:')
    for (let press = 0; press < 2; press++) {
      await page.getByRole('slider', { name: 'image 1 ends' }).press('Shift+ArrowLeft')
    }
    await page.getByText('For developers').last().click()
    await page.getByRole('button', { name: 'Add a name' }).click()
    await page.keyboard.type('order')
    await page.keyboard.press('Tab')
    await page.keyboard.type('8127')
    await making.create()
    const record = await untilStatus(making.service, await making.createdId(), ended)
    const url = expect.stringMatching(/^upload:\/\/u_/) as string
    expect(record).toMatchObject({
      status: 'succeeded',
      elements: [{ type: 'image', url, timing: { startTime: 0, endTime: 2 } }],
      metadata: { order: '8127' },
    })
  })

  it('has what was entered again when its reader comes back, but not for another request', async () => {
    await making.open()
    await page.getByLabel('Name', { exact: true }).fill('Half done')
    await page.goto(new URL('/app/usage', making.service.dev.baseUrl).href)
    await page.goBack()
    await eventually(async () =>
      expect(await making.request()).toMatchObject({ videoName: 'Half done' }),
    )
    await making.open('?example')
    await page.reload()
    expect(await making.request()).not.toHaveProperty('videoName')
  })

  it('goes on with its upload after a reload, and sends no part twice', async () => {
    await making.open()
    // The last part is small, so that it arrives long before the others.
    const devtools = await making.browser.context.newCDPSession(page)
    const line = { offline: false, latency: 0, downloadThroughput: -1 }
    const slow = 'Network.emulateNetworkConditions'
    await devtools.send(slow, { ...line, uploadThroughput: 1e6 })
    let sentPart: string
    try {
      const arrived = page.waitForResponse('**/parts/**')
      await page.setInputFiles('#file', large)
      sentPart = partOf((await arrived).request())
      await page.reload()
    } finally {
      await devtools.send(slow, { ...line, uploadThroughput: -1 })
      await devtools.detach()
    }
    await page.waitForSelector('[data-drop]:has-text("Choose it again")')
    const again: string[] = []
    const note = (sending: Request) => void again.push(partOf(sending))
    page.on('request', note)
    await page.setInputFiles('#file', large)
    await sent()
    page.off('request', note)
    const parts = again.filter((part) => part !== '')
    expect(parts).toHaveLength(2)
    expect(parts).not.toContain(sentPart)
  })

  it('waits while the machine is offline, then goes on and is created by itself', async () => {
    await making.open()
    await page.evaluate('localStorage.clear()')
    await making.browser.context.setOffline(true)
    try {
      await page.setInputFiles('#file', large)
      await page.waitForSelector('[data-sending-state]:has-text("You are offline")')
      await making.create()
      await page.waitForSelector('#state:has-text("as soon as the file is there")')
    } finally {
      await making.browser.context.setOffline(false)
    }
    expect(await making.createdId()).toMatch(/^v_/)
  })

  it('says what is wrong with a file where it is chosen, sends nothing of it, and keeps a good one', async () => {
    await making.open()
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
    await drop([making.folder])
    await fault.getByText('is a folder. Drop a video file instead.').waitFor()
    await drop([at('empty.mp4'), at('notes.mp4')])
    await fault.getByText('Drop one file at a time.').waitFor()
    await making.create()
    await fault.getByText('Choose a file first.').waitFor()
    await page.setInputFiles('#file', small)
    await sent()
    expect(await fault.isVisible()).toBe(false)
    await drop([at('notes.mp4')])
    await fault.getByText('“notes.mp4” is not a video').waitFor()
    expect((await making.request())['uploadId']).toMatch(/^u_/)
    expect(errors).toEqual([])
    page.removeAllListeners('console')
  })

  it('says that the service does not answer, and goes on once it does', async () => {
    await making.open()
    await page.evaluate('localStorage.clear()')
    await page.route('**/uploads', async (route) => route.abort())
    try {
      await page.setInputFiles('#file', small)
      const state = page.locator('[data-sending-state]')
      await state.getByText('The service does not answer. Trying again').waitFor()
    } finally {
      await page.unroute('**/uploads')
    }
    await sent()
  })

  it('shows what the API refuses where it belongs, and goes to the first', async () => {
    await making.open()
    await page.getByText('An address', { exact: true }).click()
    await page.locator('#field-fileUrl').fill('https://ana:secret@example.com/a.mp4')
    await page.getByRole('button', { name: 'Add image' }).click()
    await making.create()
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
    await making.create()
    await page.getByText('This is a file on your own disk. Choose “A file” above').first().waitFor()
  })

  it('starts from a preset, keeps one, and deletes it without losing its options', async () => {
    await making.open()
    await page.getByText('Clean talk').click()
    expect(await page.getByLabel('Cut the pauses').isChecked()).toBe(true)
    await page.getByLabel('Take out background noise').uncheck()
    expect(await making.request()).toEqual({ preset: 'clean-talk', removeNoise: false })
    await page.getByText('Keep these options as a preset').click()
    await page.getByLabel('Name of the preset').fill('quiet-talk')
    await page.getByRole('button', { name: 'Save preset' }).click()
    await eventually(async () => expect(await making.request()).toEqual({ preset: 'quiet-talk' }))
    await page.getByRole('button', { name: 'Delete this preset' }).click()
    await page.getByRole('radio', { name: 'quiet-talk' }).waitFor({ state: 'detached' })
    expect(await making.request()).toEqual({ removeSilence: true, normalizeAudio: true })
    expect(await page.getByRole('button', { name: 'Delete this preset' }).isVisible()).toBe(false)
  })
})

describe('the page of a new video', () => {
  for (const [i, colorScheme] of (['light', 'dark'] as const).entries()) {
    it(`keeps nobody out, by ${colorScheme}`, { tags: campaignAfter(1, i) }, async () => {
      await page.emulateMedia({ colorScheme })
      await making.open()
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
      await making.open()
      await page.getByRole('button', { name: 'Add image' }).click()
      await page.evaluate(
        `for (const details of document.querySelectorAll('details')) details.open = true`,
      )
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(beyond)).toBe(0)
    })
  }
})
