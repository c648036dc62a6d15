import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../../scripts/machine/checkout.ts'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { ensureLocalAccount } from '../../scripts/start/local-account.ts'
import { describeMachine } from '../machine.ts'
import type { HostedWorker } from '../requests/hosted-worker.ts'
import { startSide, type Side } from '../requests/start-side.ts'
import { copySource } from '../requests/targets.ts'
import { memoryOfRuntimes } from './memory.ts'
import { tableLines, verdicts, type Measured, type Way } from './report.ts'
import { sendFile, type FileRequest } from './send-file.ts'
import { readUploadsSettings } from './settings.ts'

const boundary = 'bench-of-uploads'
const formBefore = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`
const formAfter = `\r\n--${boundary}--\r\n`
const ways: readonly Way[] = ['upload', 'raw', 'parser']

/** Returns 0 if the budgets are kept, 1 if one is not, 130 if it was stopped. */
export async function runUploads(args: readonly string[], stop: AbortSignal): Promise<number> {
  const { megabytes } = readUploadsSettings(args)
  if (process.platform !== 'linux') {
    throw new StopWithMessage('Memory is read from /proc: this runs on Linux only.', 2)
  }
  say(describeMachine())
  const all: Measured[] = []
  try {
    for (const size of megabytes) {
      for (const way of ways) {
        all.push(await measure(size, way, stop))
        say(`${size} MB, ${way}: done`)
      }
    }
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  }
  tableLines(all).forEach(say)
  const judged = verdicts(all)
  judged.forEach(({ text }) => say(text))
  const kept = judged.every((one) => one.kept)
  say(kept ? 'ok' : 'below the limit')
  return kept ? 0 : 1
}

/**
 * Starts a new Worker for every figure, because memory that one upload has taken from the system is not requested again
 * by the next.
 */
async function measure(megabytes: number, way: Way, stop: AbortSignal): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-'))
  let worker: HostedWorker | undefined
  const killNow = () => {
    worker?.killNow()
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', killNow)
  try {
    const plan = way === 'upload' ? planService(folder) : planBare(folder)
    const side = await startSide(
      { name: way, mode: 'server', folder, ...plan },
      stop,
      (one) => (worker = one),
    )
    return {
      megabytes,
      way,
      ...(await measureOne(side, await requestOf(side, way), megabytes, stop)),
    }
  } finally {
    await worker?.stop()
    process.off('exit', killNow)
    rmSync(folder, { recursive: true, force: true })
  }
}

function planService(folder: string) {
  const main = copySource(path.join(folder, 'source'))
  return { source: path.join(root, 'wrangler.toml'), readyPath: '/health', main }
}

/** The bare Worker goes next to copied sources of the service, because it uses the service's parser. */
function planBare(folder: string) {
  const copy = path.join(folder, 'source')
  copySource(copy)
  const own = path.join(import.meta.dirname, '../upload-worker')
  cpSync(own, path.join(copy, 'bench/upload-worker'), { recursive: true })
  const main = path.join(copy, 'bench/upload-worker/index.ts')
  return { source: path.join(own, 'wrangler.toml'), readyPath: '/', main }
}

type Target = Omit<FileRequest, 'bytes' | 'stop'>

async function requestOf({ worker, run }: Side, way: Way): Promise<Target> {
  const { baseUrl } = worker
  if (way === 'raw') {
    return { url: `${baseUrl}/raw`, method: 'PUT', headers: {}, before: '', after: '' }
  }
  const form = { method: 'POST', before: formBefore, after: formAfter } as const
  if (way === 'parser') {
    return { url: `${baseUrl}/parser`, headers: { 'X-Boundary': boundary }, ...form }
  }
  const service = { baseUrl, adminSecret: run.secrets.adminSecret }
  const { apiKey } = await ensureLocalAccount(service, run.data.localAccount)
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
  }
  return { url: `${baseUrl}/v1/videos/upload`, headers, ...form }
}

async function measureOne(side: Side, target: Target, megabytes: number, stop: AbortSignal) {
  const { worker } = side
  // Compiles the code and makes the bucket before anything is counted.
  await sendFile({ ...target, bytes: 100_000, stop })
  const before = memoryOfRuntimes(worker.group)
  const cpuBefore = worker.cpuSeconds() ?? 0
  const seconds = await sendFile({ ...target, bytes: megabytes * 1024 * 1024, stop })
  const cpuSeconds = (worker.cpuSeconds() ?? 0) - cpuBefore
  const after = [...memoryOfRuntimes(worker.group)].map(([pid, { peak }]) => ({
    before: before.get(pid)?.now ?? 0,
    peak,
  }))
  // The largest process is the runtime, which holds the Worker and the simulator of R2.
  const [largest] = after.sort((a, b) => b.peak - a.peak)
  if (!largest) throw new Error('no runtime was found')
  return { seconds, cpuSeconds, ...largest }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
