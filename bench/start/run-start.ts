import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root } from '../../scripts/machine/checkout.ts'
import { sendSignal } from '../../scripts/machine/kill-group.ts'
import { freePorts } from '../../scripts/machine/ports.ts'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { dataDirectory } from '../../scripts/start/data/data-directory.ts'
import { readDevFile } from '../../scripts/start/dev-file.ts'
import { describeMachine } from '../machine.ts'
import { quantile } from '../requests/figures.ts'
import { memoryBelow, type ProcessMemory } from './process-memory.ts'
import { readStartSettings } from './settings.ts'

const limits = { readySeconds: 3, mebibytes: 600 }
/** After this time the first sweep is over, and the memory that only the start needed was given back. */
const settledMs = 6_000
const patienceMs = 180_000

type Start = { seconds: number; memory: ProcessMemory[] }

/** Returns 0 if both limits are kept, 1 if one is not, 130 if it was stopped. */
export async function runStart(args: readonly string[], stop: AbortSignal): Promise<number> {
  const { rounds } = readStartSettings(args)
  if (process.platform !== 'linux') {
    throw new StopWithMessage('Memory is read from /proc: this runs on Linux only.', 2)
  }
  say(describeMachine())
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-'))
  try {
    const first = await startOnce(folder, stop)
    say(`first start in an empty folder: ${first.seconds.toFixed(2)} s`)
    const starts: Start[] = []
    for (let n = 0; n < rounds; n++) starts.push(await startOnce(folder, stop))
    return report(starts) ? 0 : 1
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startOnce(folder: string, stop: AbortSignal): Promise<Start> {
  const [port] = await freePorts(1)
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), SPOOL_DATA_DIR: folder },
    stdio: 'ignore',
    detached: true,
  })
  const end = () => child.pid !== undefined && sendSignal(-child.pid, 'SIGTERM')
  process.on('exit', end)
  try {
    await announced(child, folder, stop)
    const seconds = (performance.now() - startedAt) / 1000
    await delay(settledMs, undefined, { signal: stop })
    return { seconds, memory: memoryBelow(child.pid ?? 0) }
  } finally {
    const ended = once(child, 'exit')
    if (child.exitCode === null) {
      end()
      await ended
    }
    process.off('exit', end)
  }
}

/** `dev.json` is written when the service is healthy, and is absent while none runs. */
async function announced(child: ChildProcess, folder: string, stop: AbortSignal): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (readDevFile(dataDirectory(folder).devFile) === undefined) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new StopWithMessage(`The service did not start; npm start in ${root} tells why.`)
    }
    await delay(10, undefined, { signal: stop })
  }
}

function report(starts: readonly Start[]): boolean {
  const seconds = starts.map((start) => start.seconds)
  const middle = quantile(seconds, 0.5)
  const last = starts.at(-1)?.memory ?? []
  const sum = (field: 'mebibytes' | 'residentMebibytes') =>
    last.reduce((total, process) => total + process[field], 0)
  say('')
  say('ready after')
  say(
    `  ${middle.toFixed(2)} s in the middle (${Math.min(...seconds).toFixed(2)} … ${Math.max(...seconds).toFixed(2)})` +
      `  limit ${limits.readySeconds} s: ${verdict(middle <= limits.readySeconds)}`,
  )
  say('')
  say('idle memory, MiB                     share  resident')
  for (const process of last) say(row(process.name, process.mebibytes, process.residentMebibytes))
  const total = sum('mebibytes')
  say(
    row('all of it', total, sum('residentMebibytes')) +
      `  limit ${limits.mebibytes}: ${verdict(total <= limits.mebibytes)}`,
  )
  const kept = middle <= limits.readySeconds && total <= limits.mebibytes
  if (!kept && (loadavg()[0] ?? 0) > 2) say('The machine was busy with other work.')
  say(kept ? 'ok' : 'a limit is not kept')
  return kept
}

const verdict = (kept: boolean) => (kept ? 'ok' : 'not kept')

function row(name: string, share: number, resident: number): string {
  return `  ${name.padEnd(34)}${share.toFixed(0).padStart(6)}${resident.toFixed(0).padStart(10)}`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
