import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { providerSettings } from '../../worker/contract/settings/provider-settings.ts'
import { serviceVersion } from '../../worker/contract/service-version.ts'
import type { Settings } from './settings.ts'

const root = path.join(import.meta.dirname, '../..')
const ownCode = ['containers', 'worker/contract']

/**
 * Names what this media worker makes results with: its code, its packages, its ffmpeg, and the settings that change a result. As
 * long as none of these changes, the same job has the same result.
 */
export function nameEngine(settings: Settings, aboutFfmpeg: string): string {
  const hash = createHash('sha256')
    .update(aboutFfmpeg)
    .update(readFileSync(path.join(root, 'package.json')))
  for (const folder of ownCode) {
    const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
    for (const file of files.sort())
      hash.update(path.relative(root, file)).update(readFileSync(file))
  }
  hash.update(JSON.stringify(settingsOfResults(settings)))
  return `${serviceVersion}-${hash.digest('hex').slice(0, 16)}`
}

/** Who hears and looks, and how large a result may be. Keys and addresses of the machine itself change nothing. */
function settingsOfResults(settings: Settings): unknown[] {
  const { MAX_OUTPUT_BYTES, ...all } = settings
  const values: Readonly<Record<string, unknown>> = all
  const providers = Object.entries(providerSettings).filter(([, one]) => !('isSecret' in one))
  return [MAX_OUTPUT_BYTES, ...providers.map(([name]) => [name, values[name] ?? null])]
}
