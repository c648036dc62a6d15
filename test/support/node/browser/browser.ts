import { chromium, type BrowserContext } from 'playwright-core'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { browserProgram } from '../../../../scripts/machine/ensure-chromium.ts'

/** Connects only to the pages it is told to open. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

/** A real Chromium with an empty profile of its own. */
export class Browser {
  readonly context: BrowserContext
  readonly #profile: string

  private constructor(context: BrowserContext, profile: string) {
    this.context = context
    this.#profile = profile
  }

  static async start(): Promise<Browser> {
    const executablePath = browserProgram()
    if (executablePath === undefined) throw new Error('There is no Chromium: run npm test')
    const profile = await mkdtemp(path.join(tmpdir(), 'spool-browser-'))
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      args: quiet,
      acceptDownloads: true,
    })
    return new Browser(context, profile)
  }

  async stop(): Promise<void> {
    await this.context.close()
    await rm(this.#profile, { recursive: true, force: true })
  }
}
