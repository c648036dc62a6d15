import { StopWithMessage } from '../machine/stop-with-message.ts'

const unreleased = '## Unreleased'

/** What the next release brings, as its readers are told. */
export function unreleasedNotes(changelog: string): string {
  const [, after] = changelog.split(`\n${unreleased}\n`)
  if (after === undefined) throw new StopWithMessage(`CHANGELOG.md has no heading "${unreleased}"`)
  const notes = (after.split(/^## /m)[0] ?? '').trim()
  if (!/^- /m.test(notes)) {
    throw new StopWithMessage(
      `CHANGELOG.md names no change under "${unreleased}": say there what is new for its readers`,
    )
  }
  return notes
}

/** Puts the notes under the version and its day, and begins an empty list for the next one. */
export function dated(changelog: string, version: string, day: string): string {
  unreleasedNotes(changelog)
  return changelog.replace(`\n${unreleased}\n`, `\n${unreleased}\n\n## ${version} (${day})\n`)
}
