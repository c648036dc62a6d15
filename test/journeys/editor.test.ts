import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ended, untilStatus } from '../support/node/api.ts'
import { NewVideoPage } from '../support/node/browser/new-video-page.ts'
import { ffmpegBytes } from '../support/containers/run-tool.ts'

let making: NewVideoPage
let page: Page

beforeAll(async () => {
  making = await NewVideoPage.start()
  page = making.page
})
afterAll(async () => making.stop())

const frame = { width: 270, height: 480 }

/** The edges of what has this colour in a picture, as shares of its width and height: left, right, top, bottom; undefined for none. */
async function boxOf(
  file: string,
  [red, green, blue]: readonly [number, number, number],
  seconds = 0,
): Promise<readonly number[] | undefined> {
  const { width, height } = frame
  const raw = ['-vf', `scale=${width}:${height}`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  const from = ['-ss', String(seconds), '-i', file, '-frames:v', '1']
  const pixels = await ffmpegBytes([...from, ...raw])
  const isNear = (place: number, value: number) => Math.abs((pixels[place] ?? 0) - value) < 70
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

describe('the editor of a new video', () => {
  it('follows the request that is written by hand, and says where it cannot be read', async () => {
    await making.open()
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
    const toCopy = await page.getAttribute('#json [data-copy]', 'data-copy')
    expect(toCopy).toBe(await page.inputValue('#request-json'))
    expect(await page.inputValue('[name="files[1].url"]')).toBe('https://example.com/b.mp4')
    expect(await page.isChecked('[name=rotate][value="90"]')).toBe(true)
    expect(await page.locator('[data-plan] li').allTextContents()).toEqual([
      'fetch 2 clips',
      'join them in this order',
      'turn the picture by 90° clockwise',
      'save it as MP4 at quality 100',
    ])
    await page.getByRole('button', { name: 'Move up' }).nth(1).click()
    expect(await making.request()).toEqual({
      files: [{ url: 'https://example.com/b.mp4' }, { url: 'https://example.com/a.mp4' }],
      combine: true,
      rotate: 90,
      mirror: 'left',
    })
    await editor.fill('{"rotate": 90,\n}')
    expect(await page.textContent('#request-fault')).toContain('line 2, column 1')
  })

  it('keeps terms of a glossary as they were given, in fields unless a field cannot hold one', async () => {
    await making.open()
    const editor = page.locator('#request-json')
    await page.getByRole('tab', { name: 'JSON' }).click()
    const write = async (glossary: Record<string, string>) =>
      editor.fill(JSON.stringify({ captions: { translateTo: ['es'], glossary } }))
    const box = page.locator('textarea[name="captions.glossary"]')
    const fields = page.getByLabel('as in translations', { exact: true })
    await write({ 'a=b': 'c', launch: 'lanzamiento' })
    expect(await box.getAttribute('hidden')).not.toBeNull()
    await fields.nth(1).fill('x → y')
    expect(await making.request()).toMatchObject({
      captions: { glossary: { 'a=b': 'c', launch: 'x → y' } },
    })
    await write({ 'two\nlines': 'dos', launch: 'lanzamiento' })
    expect(await box.getAttribute('hidden')).toBeNull()
    expect(JSON.parse(await box.inputValue())).toEqual({
      'two\nlines': 'dos',
      launch: 'lanzamiento',
    })
  })

  it('shows the pauses and the words of a clip, and cuts what is struck out', async () => {
    await making.open('?example')
    const { fileUrl } = await making.request()
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
    expect(await making.request()).toMatchObject({ removeSilence: true, removeSegments: [{}] })
    await struck.first().click()
    expect(await struck.count()).toBe(2)
    await page.getByText('Write down what is said').click()
    await making.create()
    const record = await untilStatus(making.service, await making.createdId(), ended)
    expect(record).toMatchObject({ status: 'succeeded' })
    const { text } = record['transcript'] as { text: string }
    expect(text).toContain('my')
    expect(text).not.toMatch(/fellow|Americans/)
  })

  it('shows texts and captions where and when they are drawn, in a pause and around a cut too', async () => {
    await making.open('?example')
    const { fileUrl } = await making.request()
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
      const picture = path.join(making.folder, `shown-${i}.png`)
      await page.locator('[data-frame]').screenshot({ path: picture })
      shown.push(picture)
    }
    await making.create()
    const record = await untilStatus(making.service, await making.createdId(), ended)
    const made = path.join(making.folder, 'made.mp4')
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
    await making.open('?example')
    await page.waitForSelector('[data-player]:visible')
    await page.locator('#field-captions').check()
    const captions = page.getByRole('slider', { name: /Place of the captions/ })
    const { captions: whole } = await making.request()
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
      Number.parseFloat(
        ((await making.request())['captions'] as { position: { y: string } }).position.y,
      )
    const dragged = await placed()
    await captions.press('ArrowUp')
    await captions.press('Shift+ArrowUp')
    expect(await placed()).toBeCloseTo(dragged - 11, 1)
    // The rest of what captions look like leaves them where they are.
    await page.getByText('Word by word').click()
    expect(await placed()).toBeCloseTo(dragged - 11, 1)
    await page.locator('.choice', { hasText: 'Where' }).getByText('Top', { exact: true }).click()
    expect(await making.request()).toMatchObject({ captions: { position: 'top' } })
  })
})
