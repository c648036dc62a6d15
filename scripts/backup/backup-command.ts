import path from 'node:path'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { sortWords, type SortedWords } from '../machine/read-options.ts'
import { UsageError } from '../machine/stop-with-message.ts'
import { dataDirectory, type DataDirectory } from '../start/data/data-directory.ts'
import { readSettings } from '../start/settings.ts'
import { checkFiles, openBackup } from './check-backup.ts'
import { ProgressLine } from '../machine/progress-line.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup, type Backup } from './take-backup.ts'
import { listBackups, unfinishedPrefix, type BackupFolder, type Manifest } from './backup-folder.ts'
import { sizeText } from '../../client/src/cli/terminal/quantities.ts'

type Context = {
  env: NodeJS.ProcessEnv
  stop: AbortSignal
  /** Where relative paths begin: the folder in which the person typed the command. */
  folder: string
}

type Command = {
  help: () => string
  flags: readonly string[]
  values: readonly string[]
  run: (line: CommandLine, context: Context) => Promise<{ answer: unknown; text: string }>
}

type CommandLine = Pick<SortedWords, 'flags' | 'values'> & { place: string }

const commands: Readonly<Record<string, Command>> = {
  backup: { help: backupHelp, flags: ['json', 'help'], values: ['keep'], run: backup },
  restore: { help: restoreHelp, flags: ['check', 'json', 'help'], values: [], run: restore },
}

/** The commands that work on the files of this machine, and not through the service. */
export const localCommandNames = Object.keys(commands)

/** Returns the text for stdout. */
export async function runBackupCommand(
  name: string,
  args: readonly string[],
  context: Context,
): Promise<string> {
  const command = commands[name]
  if (!command) throw new Error(`There is no command ${name}`)
  const line = readLine(command, args, context)
  if (line.flags.has('help')) return command.help()
  // Backups hold the secrets of the service.
  process.umask(0o077)
  const { answer, text } = await command.run(line, context)
  return line.flags.has('json') ? `${JSON.stringify(answer, null, 2)}\n` : `${text}\n`
}

async function backup(line: CommandLine, { env, stop }: Context) {
  const keep = readKeep(line.values['keep'])
  const data = dataOf(env)
  const progress = new ProgressLine(process.stderr)
  const made = await takeBackup({ data, place: line.place, progress, stop })
  removeAbandoned(line.place, Date.now())
  const removed = keep === undefined ? [] : keepNewest(line.place, keep)
  const answer = { ...made.manifest, ...made, manifest: undefined, removed }
  return { answer, text: describeBackup(made, { data, removed }) }
}

async function restore(line: CommandLine, { env, stop }: Context) {
  const progress = new ProgressLine(process.stderr)
  if (line.flags.has('check')) {
    const opened = openBackup(line.place)
    await checkFiles(opened, progress, stop)
    const { manifest, backup: found } = opened
    return { answer: { folder: found.folder, ...manifest }, text: describeCheck(found, manifest) }
  }
  const data = dataOf(env)
  const { backup: from, manifest } = await restoreBackup({
    place: line.place,
    data,
    progress,
    stop,
  })
  const answer = { folder: from.folder, dataDirectory: data.base, ...manifest }
  return { answer, text: describeRestore(from, manifest, data) }
}

function dataOf(env: NodeJS.ProcessEnv) {
  return dataDirectory(readSettings({ SPOOL_DATA_DIR: env['SPOOL_DATA_DIR'] }).SPOOL_DATA_DIR)
}

function readKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new UsageError('--keep: Must be a whole number from 1')
}

function readLine(command: Command, args: readonly string[], { folder }: Context): CommandLine {
  if (args.some((arg) => /^--url(=|$)/.test(arg))) {
    const message =
      '--url: A deployed service is backed up by other means: see docs/operators/backup.md.'
    throw new UsageError(message)
  }
  const { flags, values, positionals } = sortWords(args, command)
  const [place, extra] = positionals
  if (place === undefined && !flags.has('help')) {
    throw new UsageError(`DIR is missing.\n\n${command.help()}`)
  }
  if (extra !== undefined) throw new UsageError(`Unexpected argument ${extra}.`)
  return { place: path.resolve(folder, place ?? ''), flags, values }
}

const common = `  --json         print the answer as JSON (with npm: npm run --silent admin -- …)
  --help         this text

The data directory is that of SPOOL_DATA_DIR (default .spool in the repository). docs/operators/backup.md says more.
`

function backupHelp(): string {
  return `Copy a service, running or stopped, into a new folder in DIR.

  npm run admin -- backup DIR [--keep N]

Everything that the service needs to go on elsewhere is in it, its secrets included: keep DIR where only you can read
it, and on another disk. A running service is paused for some milliseconds. Videos that an earlier backup in DIR has as
well take no space again. Ctrl-C leaves nothing behind.

  --keep N       remove all but the newest N backups in DIR, once the new one is whole
${common}`
}

function restoreHelp(): string {
  return `Copy a backup into an empty data directory, and check every file of it.

  SPOOL_DATA_DIR=/var/lib/spool npm run admin -- restore DIR [--check]

DIR is one backup, or a folder of backups, of which the newest is taken.

  --check        only read the backup and compare it with its hashes; restore nothing
${common}`
}

/** A backup that nobody has written to for this long was broken off. */
const abandonedMs = 86_400_000

/** Removes all but the newest backups; returns the names of those removed. */
function keepNewest(place: string, count: number): string[] {
  const old = listBackups(place).slice(0, -count)
  for (const name of old) rmSync(path.join(place, name), { recursive: true })
  return old
}

function removeAbandoned(place: string, nowMs: number): void {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    const folder = path.join(place, name)
    if (nowMs - statSync(folder).mtimeMs > abandonedMs) rmSync(folder, { recursive: true })
  }
}

function describeBackup(
  { folder, manifest, pausedMs, sharedBytes }: Backup,
  { data, removed }: { data: DataDirectory; removed: readonly string[] },
): string {
  const shared =
    sharedBytes > 0 ? `, of which ${sizeText(sharedBytes)} are shared with the one before it` : ''
  const isSameDisk = statSync(folder).dev === statSync(data.base).dev
  return [
    `Backed up to ${folder}`,
    '',
    ...contentsOf(manifest),
    `  ${manifest.files} files, ${sizeText(manifest.bytes)}${shared}`,
    ...(pausedMs > 0 ? [`  The service was paused for ${Math.ceil(pausedMs)} ms.`] : []),
    ...(removed.length > 0 ? [`  Removed: ${removed.join(', ')}`] : []),
    '',
    'It contains the secrets of the service: only you should be able to read it.',
    ...(isSameDisk ? ['It is on the same disk as the service: copy it to another machine.'] : []),
  ].join('\n')
}

function describeCheck({ folder }: BackupFolder, manifest: Manifest): string {
  return [
    `${folder} is whole: ${manifest.files} files, ${sizeText(manifest.bytes)}.`,
    '',
    ...contentsOf(manifest),
  ].join('\n')
}

function describeRestore(
  { folder }: BackupFolder,
  manifest: Manifest,
  data: DataDirectory,
): string {
  const { baseUrl, storageUrl } = manifest
  const storage =
    storageUrl !== undefined && storageUrl !== baseUrl ? `, STORAGE_URL ${storageUrl}` : ''
  return [
    `Restored ${folder} into ${data.base}`,
    '',
    ...contentsOf(manifest),
    '',
    'Start it with the settings that it had; they are not part of a backup:',
    '',
    `  SPOOL_DATA_DIR=${data.base} npm start`,
    '',
    ...(baseUrl === undefined
      ? []
      : [`Its base URL was ${baseUrl}${storage}. Links that were given out begin with it.`]),
    'Do not start the original again: both would process the same jobs and send the same webhooks.',
  ].join('\n')
}

function contentsOf({ createdAt, version, counts }: Manifest): string[] {
  const { accounts, people, keys, videos, unfinishedJobs, pendingWebhooks } = counts
  return [
    `  As it was at ${createdAt}, version ${version}`,
    `  ${counted(accounts, 'account')}, ${people === 1 ? '1 person' : `${people} people`}, ${counted(keys, 'key')}, ` +
      `${counted(videos, 'video')}, ${counted(unfinishedJobs, 'unfinished job')}, ${counted(pendingWebhooks, 'webhook')} due`,
  ]
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
