import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { ownerLinkIn } from './owner-link.ts'
import type { RunningService } from '../service.ts'
import { sharedService } from '../shared-service.ts'
import { Browser } from './browser.ts'

/** The page that makes a new video, as its owner sees it, with a folder for files to send. */
export class NewVideoPage {
  readonly service: RunningService
  readonly browser: Browser
  readonly page: Page
  readonly folder: string

  private constructor(service: RunningService, browser: Browser, page: Page, folder: string) {
    this.service = service
    this.browser = browser
    this.page = page
    this.folder = folder
  }

  static async start(): Promise<NewVideoPage> {
    const service = await sharedService()
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-new-video-'))
    const browser = await Browser.start()
    const page = await browser.context.newPage()
    await page.goto(ownerLinkIn(service.output))
    return new NewVideoPage(service, browser, page, folder)
  }

  async stop(): Promise<void> {
    await this.browser.stop()
    await rm(this.folder, { recursive: true })
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(new URL(`/app/videos/new${query}`, this.service.dev.baseUrl).href)
  }

  async create(): Promise<void> {
    await this.page.getByRole('button', { name: 'Create video' }).click()
  }

  /** The request that would be sent. */
  async request(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.page.inputValue('#request-json')) as Record<string, unknown>
  }

  /** The id of the video that was created, once its page is open. */
  async createdId(): Promise<string> {
    await this.page.waitForURL(/\/app\/videos\/v_\w+$/)
    return this.page.url().split('/').at(-1) ?? ''
  }
}
