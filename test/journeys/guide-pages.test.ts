import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guideAddress, guideSections } from '../../worker/reference/guides/guide-list.ts'
import { Browser } from '../support/node/browser/browser.ts'
import { campaignAfter } from '../support/node/campaign.ts'
import { eventually } from '../support/node/eventually.ts'
import { findBarriers } from '../support/node/browser/find-barriers.ts'
import type { RunningService } from '../support/node/service.ts'
import { sharedService } from '../support/node/shared-service.ts'

const themes = ['light', 'dark'] as const

let service: RunningService
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  service = await sharedService()
  browser = await Browser.start()
  page = await browser.context.newPage()
  page.on('console', (said) => {
    if (said.type() === 'error') complaints.push(`${page.url()}: ${said.text()}`)
  })
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(async () => browser.stop())

const open = async (path: string) => page.goto(new URL(path, service.dev.baseUrl).href)

describe('the guides in a browser', () => {
  it('are found by what somebody types, with the keyboard alone', async () => {
    await open('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('verify signatur')
    await page.locator('#found a').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/webhooks#/)
    await page.locator('#search').fill('xyzzyplugh')
    await page.locator('#found >> text=Nothing found for “xyzzyplugh”.').waitFor()
    await page.locator('#search').fill('signature')
    await page.locator('#found a').first().waitFor()
    await page.locator('h1').click()
    await page.locator('#found').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.locator('#found a').first().waitFor()
  })

  it('remember the language of the examples on the next page', async () => {
    await open('/docs/webhooks')
    const tab = page.getByRole('tab', { name: 'Python' }).first()
    await tab.click()
    expect(await tab.getAttribute('aria-selected')).toBe('true')
    await open('/docs/uploads')
    const next = page.getByRole('tab', { name: 'Python' }).first()
    await eventually(async () => expect(await next.getAttribute('aria-selected')).toBe('true'))
  })

  it('put a whole example into the clipboard', async () => {
    await open('/docs/webhooks')
    const shown = page.locator('.code:not(.plain):visible').first()
    const code = await shown.locator('pre').innerText()
    await shown.getByRole('button', { name: 'Copy' }).click()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied.trim()).toBe(code.trim())
  })

  it('copy on addresses without https too, where a page has no clipboard', async () => {
    const plain = await browser.context.newPage()
    await plain.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })`,
    )
    await plain.goto(new URL('/docs/webhooks', service.dev.baseUrl).href)
    const shown = plain.locator('.code:not(.plain):visible').nth(1)
    const code = await shown.locator('pre').innerText()
    await shown.getByRole('button', { name: 'Copy' }).click()
    await plain.locator('#announcer', { hasText: 'Copied' }).waitFor({ state: 'attached' })
    await plain.close()
    await page.bringToFront()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied.trim()).toBe(code.trim())
  })

  it('select what a browser does not let the page copy, and say so', async () => {
    const strict = await browser.context.newPage()
    await strict.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
       Document.prototype.execCommand = () => false`,
    )
    await strict.goto(new URL('/docs/webhooks', service.dev.baseUrl).href)
    const shown = strict.locator('.code:not(.plain):visible').first()
    const code = await shown.locator('pre').innerText()
    await shown.getByRole('button', { name: 'Copy' }).click()
    await strict.locator('#announcer', { hasText: 'is selected' }).waitFor({ state: 'attached' })
    const selected = await strict.evaluate<string>('getSelection().toString()')
    expect(selected.trim()).toBe(code.trim())
    await strict.close()
  })

  // Without the reference, for whose size axe would take a minute.
  const paths = guideSections.flatMap(({ pages }) => pages.map(({ file }) => guideAddress(file)))
  for (const [i, path] of paths.entries()) {
    it(`keep nobody out of ${path}, and fit a phone`, { tags: campaignAfter(1, i) }, async () => {
      // The pages share one style sheet, so each of the others is looked at in one theme.
      for (const colorScheme of i === 0 ? themes : themes.slice(i % 2, (i % 2) + 1)) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width: 390, height: 800 })
        expect((await open(path))?.status()).toBe(200)
        expect(await findBarriers(page)).toEqual([])
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        expect(await page.evaluate(beyond)).toBe(0)
      }
      expect(complaints).toEqual([])
    })
  }
})
