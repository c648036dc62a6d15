import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import { providerSettings } from '../../worker/contract/settings/provider-settings.ts'
import { serviceVersion } from '../../worker/contract/service-version.ts'
import type { MediaSettings } from './settings.ts'

const root = path.join(import.meta.dirname, '../..')
const ownCode = ['containers', 'worker/contract']

/** What a media worker finds on its machine and makes results with. */
export type OnMachine = {
  /** What ffmpeg reports about itself, and its file. */
  readonly ffmpeg: { readonly about: string; readonly file: string | undefined }
  /** The files of all fonts. */
  readonly fonts: readonly string[]
}

/**
 * Names everything with which this media worker makes results: its code, its packages, its ffmpeg, fonts and speech model, and
 * the settings that change a result. As long as none of these changes, the same job has the same result.
 */
export function nameEngine(settings: MediaSettings, { ffmpeg, fonts }: OnMachine): string {
  const hash = createHash('sha256')
    .update(ffmpeg.about)
    .update(readFileSync(path.join(root, 'package.json')))
  if (ffmpeg.file !== undefined) hash.update(readFileSync(ffmpeg.file))
  for (const folder of ownCode) {
    for (const file of filesIn(path.join(root, folder)))
      hash.update(path.relative(root, file)).update(readFileSync(file))
  }
  // A font that was missing is drawn with another one.
  hash.update(JSON.stringify(fonts.map((file) => [path.basename(file), sizeOf(file)]).sort()))
  const { SPEECH_PROVIDER: provider, SPEECH_MODEL_DIR: model } = settings
  if (provider === 'local' && model !== undefined) {
    for (const file of filesIn(model)) {
      updateWithSample(hash.update(path.relative(model, file)), file)
    }
  }
  hash.update(JSON.stringify(settingsOfResults(settings)))
  return `${serviceVersion}-${hash.digest('hex').slice(0, 16)}`
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .sort()
}

/** A link may lead nowhere. */
function sizeOf(font: string): number | undefined {
  return statSync(font, { throwIfNoEntry: false })?.size
}

const sampleBytes = 65_536
const samples = [0, 0.25, 0.5, 0.75, 1]

/** Samples a model, because reading gigabytes would delay every start, and another model has other numbers everywhere. */
function updateWithSample(hash: Hash, file: string): void {
  const { size } = statSync(file)
  hash.update(`:${size}:`)
  const handle = openSync(file, 'r')
  try {
    for (const share of samples) {
      const bytes = Buffer.alloc(Math.min(size, sampleBytes))
      const from = Math.floor((size - bytes.length) * share)
      hash.update(bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, from)))
    }
  } finally {
    closeSync(handle)
  }
}

/** The settings that change results: the providers, and how large a result may be. Keys and addresses do not matter. */
function settingsOfResults(settings: MediaSettings): unknown[] {
  const { MAX_OUTPUT_BYTES, ...all } = settings
  const values: Readonly<Record<string, unknown>> = all
  const providers = Object.entries(providerSettings).filter(([, one]) => !('isSecret' in one))
  return [MAX_OUTPUT_BYTES, ...providers.map(([name]) => [name, values[name] ?? null])]
}
