import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { writeFileAtomically } from '../machine/write-file.ts'
import { dated, unreleasedNotes } from './changelog.ts'
import { nextVersion } from './next-version.ts'
import { presentVersion, writeVersion } from './version-files.ts'

const releaseHelp = `Usage: npm run release -- major|minor|patch|1.2.3 [--dry-run]

Makes a release of what is committed: runs npm run check, writes the version to every file that states it, dates the
changes in CHANGELOG.md, commits, and sets the tag. It publishes nothing: the last line says how to.

  --dry-run   only says what would be done
`

type Surroundings = {
  root: string
  /** The day, as 2026-11-22. */
  today: string
  check: () => Promise<number>
  say: (line: string) => void
}

/** Returns the exit code. */
export async function release(args: readonly string[], around: Surroundings): Promise<number> {
  const { wish, isDry } = read(args)
  if (wish === undefined) {
    around.say(releaseHelp)
    return 0
  }
  const { root, today, check, say } = around
  const version = nextVersion(presentVersion(root), wish)
  const tag = `v${version}`
  requireReady(root, tag)
  const changelog = path.join(root, 'CHANGELOG.md')
  const text = readFileSync(changelog, 'utf8')
  const notes = unreleasedNotes(text)
  if (isDry) {
    say(`Would check, commit and tag ${tag}, with this in CHANGELOG.md:\n\n${notes}`)
    return 0
  }
  const exitCode = await check()
  if (exitCode !== 0)
    throw new StopWithMessage(`npm run check failed; ${tag} was not made`, exitCode)
  // The check takes long enough for somebody to change something.
  requireReady(root, tag)
  writeVersion(root, version)
  writeFileAtomically(changelog, dated(text, version, today), 0o644)
  git(root, 'commit', '--all', '--quiet', '--message', `Release ${version}`)
  git(root, 'tag', '--annotate', '--message', `Spool ${version}\n\n${notes}`, tag)
  say(`${tag} is committed and tagged. Publish it: git push --follow-tags`)
  return 0
}

function read(args: readonly string[]): { wish: string | undefined; isDry: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    const [wish, ...more] = positionals
    if (values.help === true) return { wish: undefined, isDry: false }
    if (wish === undefined || more.length > 0)
      throw new Error('Name one version, or major, minor or patch')
    return { wish, isDry: values['dry-run'] === true }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new StopWithMessage(`${message}\n\n${releaseHelp}`, 2)
  }
}

function requireReady(root: string, tag: string): void {
  const changed = git(root, 'status', '--porcelain')
  if (changed !== '')
    throw new StopWithMessage(`There are changes that are not committed:\n${changed}`)
  const branch = git(root, 'rev-parse', '--abbrev-ref', 'HEAD')
  if (branch !== 'main')
    throw new StopWithMessage(`Releases are made on main, and this is ${branch}`)
  if (git(root, 'tag', '--list', tag) !== '') throw new StopWithMessage(`There is a ${tag} already`)
}

function git(root: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new StopWithMessage(`git ${args[0] ?? ''} failed: ${stderr.trim()}`)
  return stdout.trimEnd()
}
