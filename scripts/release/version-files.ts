import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../machine/write-file.ts'

/** Every place that states the version, and how often it does. package.json is the source; a release writes the others. */
const places = {
  'package.json': { pattern: /^( {2}"version": ")[^"]+/gm, times: 1 },
  'package-lock.json': { pattern: /^( {2}(?: {4})?"version": ")[^"]+/gm, times: 2 },
  'client/package.json': { pattern: /^( {2}"version": ")[^"]+/gm, times: 1 },
  'worker/contract/service-version.ts': { pattern: /(serviceVersion = ')[^']+/g, times: 1 },
} as const

export function presentVersion(root: string): string {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

export function writeVersion(root: string, version: string): void {
  for (const [file, { pattern, times }] of Object.entries(places)) {
    const place = path.join(root, file)
    let seen = 0
    const text = readFileSync(place, 'utf8').replace(pattern, (all: string, begin: string) =>
      ++seen > times ? all : begin + version,
    )
    if (seen < times) throw new Error(`${file} states its version less than ${times} times`)
    writeFileAtomically(place, text, 0o644)
  }
}
