import { ensureChromium } from '../machine/ensure-chromium.ts'
import { ensureSecondReader, ensureServerPrograms } from '../machine/ensure-campaign-programs.ts'
import { ensureFfmpeg } from '../machine/ensure-ffmpeg.ts'
import { ensureFonts } from '../machine/ensure-fonts.ts'
import type { Suite } from './suites.ts'

/** Installs what the tests of a suite want of the machine. */
export async function ensurePrograms(suite: Suite): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  await ensureFfmpeg(say)
  ensureFonts(say)
  ensureChromium(say)
  if (suite === 'tests') return
  ensureServerPrograms(say)
  ensureSecondReader(say)
}
