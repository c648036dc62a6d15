import { readFileSync } from 'node:fs'
import path from 'node:path'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { writeFileAtomically } from '../machine/write-file.ts'

/** Where the version is stated besides package.json and the lockfile. */
const places = {
  'client/package.json': /^( {2}"version": ")[^"]+/m,
  'worker/contract/service-version.ts': /(serviceVersion = ')[^']+/,
} as const

/** Writes the version everywhere, dates what the changelog has for it, and returns the files that have changed. */
export function writeRelease(root: string, version: string, day: string): string[] {
  const change = (file: string, write: (text: string) => string): string => {
    const place = path.join(root, file)
    writeFileAtomically(place, write(readFileSync(place, 'utf8')), 0o644)
    return file
  }
  const changelog = change('CHANGELOG.md', (text) => dated(text, version, day))
  const stated = Object.entries(places).map(([file, pattern]) =>
    change(file, (text) => {
      if (!pattern.test(text)) throw new Error(`${file} states no version`)
      return text.replace(pattern, (_all, begin: string) => begin + version)
    }),
  )
  return [changelog, ...stated]
}

const unreleased = '## Unreleased'

/** Puts the notes under the version and its day, and begins an empty list for the next one. */
export function dated(changelog: string, version: string, day: string): string {
  const [before, after] = changelog.split(`\n${unreleased}\n`)
  if (after === undefined) throw new StopWithMessage(`CHANGELOG.md has no heading "${unreleased}"`)
  if (!/^- /m.test(after.split(/^## /m)[0] ?? '')) {
    throw new StopWithMessage(
      `CHANGELOG.md names no change under "${unreleased}": say there what is new for its readers`,
    )
  }
  return `${before}\n${unreleased}\n\n## ${version} (${day})\n${after}`
}
