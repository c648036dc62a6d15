import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { readOptions } from '../machine/read-options.ts'
import { StopWithMessage, UsageError } from '../machine/stop-with-message.ts'
import { writeFileAtomically } from '../machine/write-file.ts'

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
  const options = { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
  const help = `\n${releaseHelp}`
  const { values, positionals } = readOptions(args, { options, allowPositionals: true }, help)
  const [wish, ...more] = positionals
  if (values.help === true) return { wish: undefined, isDry: false }
  if (wish === undefined || more.length > 0) {
    throw new UsageError(`Name one version, or major, minor or patch\n${help}`)
  }
  return { wish, isDry: values['dry-run'] === true }
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

const steps = ['major', 'minor', 'patch'] as const

/** The next version: a step from the present one, or a version by itself, which must not be lower. */
export function nextVersion(present: string, wish: string): string {
  const from = partsOf(present)
  if (!from) throw new StopWithMessage(`package.json has no version like 1.2.3 but ${present}`, 2)
  const step = steps.findIndex((name) => name === wish)
  if (step >= 0)
    return from.map((part, i) => (i < step ? part : i === step ? part + 1 : 0)).join('.')
  const to = partsOf(wish)
  if (!to) throw new UsageError(`${wish} is not major, minor, patch or a version like 1.2.3`)
  if (compare(to, from) < 0) throw new UsageError(`${wish} is below the present ${present}`)
  return wish
}

function partsOf(version: string): number[] | undefined {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) return undefined
  return version.split('.').map(Number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const [difference = 0] = a.map((part, i) => part - (b[i] ?? 0)).filter((part) => part !== 0)
  return difference
}

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

function writeVersion(root: string, version: string): void {
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
