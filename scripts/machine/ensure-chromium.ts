import { existsSync } from 'node:fs'
import { installWithApt } from './install-with-apt.ts'
import { StopWithMessage } from './stop-with-message.ts'

/** Where system packages install it. */
const programs = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const wanted = {
  package: 'chromium',
  missing: 'Chromium is missing; the tests open links in it.',
  brew: 'brew install --cask chromium',
  otherwise: 'Install it, or Google Chrome, with the package manager of this system.',
}

/** The browser for the tests; undefined if there is none. */
export function browserProgram(): string | undefined {
  return programs.find((program) => existsSync(program))
}

export function ensureChromium(say: (line: string) => void): void {
  if (browserProgram() !== undefined) return
  installWithApt(wanted, say)
  if (browserProgram() === undefined) {
    throw new StopWithMessage('Chromium was installed and still cannot be found.')
  }
}
