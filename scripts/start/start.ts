import { chmodSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { ensureBuilt } from '../host/ensure-built.ts'
import { ensureFfmpeg } from '../machine/ensure-ffmpeg.ts'
import { ensureFonts } from '../machine/ensure-fonts.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { isJournal } from './data/is-journal.ts'
import { JsonLines, noteTo, type Teller } from './output/news.ts'
import type { Mode, ServiceRun } from './run.ts'
import { runService } from './run-service.ts'
import { Screen } from './output/screen.ts'
import { readSettings } from './settings.ts'
import { listenForStop } from '../machine/stop-signals.ts'

type FindHost = (dataDirectory: string, say: (line: string) => void) => Promise<ServiceRun['host']>

/** Runs `npm start` and `npm run dev`; returns the exit code. */
export async function start(
  mode: Mode,
  [argument, ...more]: readonly string[],
  help: () => string,
  findHost?: FindHost,
): Promise<number> {
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(help())
    return 0
  }
  const prepares = argument === '--prepare' && mode === 'server'
  const unknown = prepares ? more[0] : argument
  if (unknown !== undefined) {
    process.stderr.write(`Unknown argument ${unknown}; settings come from the environment.\n`)
    return 2
  }
  // `npm start | head` closes the pipe; the service continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  if (process.env['SPOOL_LOG'] !== 'json') {
    return run(mode, prepares, new Screen(process.stdout), findHost)
  }
  const teller = new JsonLines((line) => process.stdout.write(line))
  return run(mode, prepares, teller, findHost).catch((error: unknown) => failed(teller, error))
}

async function run(
  mode: Mode,
  prepares: boolean,
  teller: Teller,
  findHost?: FindHost,
): Promise<number> {
  const { settings, host } = await settingsAndHost(teller, findHost)
  const stop = listenForStop(process, () => process.exit(130))
  if (prepares) return prepare(settings.SPOOL_DATA_DIR, teller, stop)
  const isKept = isJournal(1, process.env['JOURNAL_STREAM']) || settings.SPOOL_LOG === 'json'
  const asked = { mode, settings, tellsSecrets: !isKept, ...(host && { host }) }
  await runService(asked, teller, stop, (killNow) => process.on('exit', killNow))
  return 0
}

async function settingsAndHost(teller: Teller, findHost: FindHost | undefined) {
  const settings = readSettings(process.env)
  if (!findHost) return { settings }
  if (settings.MEDIA_WORKER_URLS.length > 0) {
    const rule = 'is for npm start: here each job gets a container of its own'
    throw new StopWithMessage(`MEDIA_WORKER_URLS ${rule}`, 2)
  }
  const host = await findHost(settings.SPOOL_DATA_DIR, noteTo(teller))
  return { settings: { ...settings, MEDIA_WORKERS: 0 }, host }
}

/** All that a start would install and build, so that the next one needs no network and writes no program. */
async function prepare(dataDir: string, teller: Teller, stop: AbortSignal): Promise<number> {
  await ensureFfmpeg(noteTo(teller), [dataDir])
  ensureFonts(noteTo(teller))
  openToReaders(path.dirname(await ensureBuilt(noteTo(teller), stop)))
  noteTo(teller)('Everything is here that npm start needs.')
  return 0
}

/** A build of an earlier start is closed to others, as everything that a running service writes. */
function openToReaders(folder: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const closed of [path.dirname(folder), folder]) chmodSync(closed, 0o755)
  for (const entry of entries) {
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
}

function failed(teller: Teller, error: unknown): number {
  const exitCode = error instanceof StopWithMessage ? error.exitCode : 1
  const message = error instanceof Error ? error.message : String(error)
  const isBug = error instanceof Error && !(error instanceof StopWithMessage)
  const stack = isBug ? { stack: error.stack } : {}
  teller.tell({ event: 'failed', level: 'error', fields: { exitCode, message, ...stack } })
  return exitCode
}
