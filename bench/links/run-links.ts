import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { root } from '../../scripts/machine/checkout.ts'
import { ensureLocalAccount } from '../../scripts/start/local-account.ts'
import { describeMachine } from '../machine.ts'
import { quantile } from '../requests/figures.ts'
import type { HostedWorker } from '../requests/hosted-worker.ts'
import { startSide, type Side } from '../requests/start-side.ts'
import { copySource } from '../requests/targets.ts'
import { downloadAll, type Wanted } from './download.ts'
import { readLinksSettings, type LinksSettings } from './settings.ts'

const connections = 8
const rangeBytes = 65_536
/** These rounds are not counted: they compile code and fill the caches of the disk. */
const warmUpRounds = 1
const leastShare = { whole: 0.8, parts: 0.5 }

/** The same bytes by the link, and from the bucket alone. */
type Addresses = { link: string; bucket: string }

/** Returns 0 if the limits are kept, 1 if one is not, 130 if it was stopped. */
export async function runLinks(args: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = readLinksSettings(args)
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-'))
  let worker: HostedWorker | undefined
  const killNow = () => {
    worker?.killNow()
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', killNow)
  try {
    const plan = { source: path.join(root, 'wrangler.toml'), main: copyEntry(folder) }
    const side = await startSide(
      { name: 'The service', mode: 'server', folder, readyPath: '/health', ...plan },
      stop,
      (one) => (worker = one),
    )
    return await measure(side, settings, stop)
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    await worker?.stop()
    process.off('exit', killNow)
    rmSync(folder, { recursive: true, force: true })
  }
}

function copyEntry(folder: string): string {
  const copy = path.join(folder, 'source')
  copySource(copy)
  const entry = path.join(copy, 'bench/links/entry.js')
  cpSync(path.join(import.meta.dirname, 'entry.js'), entry)
  return entry
}

async function measure(side: Side, settings: LinksSettings, stop: AbortSignal): Promise<number> {
  say(describeMachine())
  const bytes = settings.megabytes * 1024 * 1024
  const at = await finishedFile(side, bytes)
  const before = await countStatements(side)
  const whole = (url: string): Wanted[] => [{ url, status: 200, bytes, stop }]
  const parts = (url: string, status: number): Wanted[] =>
    Array.from({ length: settings.ranges }, (_, i) => {
      // Far apart, as a player that seeks; every run asks for the same ones.
      const first = (i * 7919 * rangeBytes) % (bytes - rangeBytes)
      const range = `bytes=${first}-${first + rangeBytes - 1}`
      return { url, range, status, bytes: rangeBytes, stop }
    })
  const wholeShare = await compare(`The whole file, ${settings.megabytes} MB`, settings.rounds, {
    link: whole(at.link),
    bucket: whole(at.bucket),
  })
  const partShare = await compare(`${settings.ranges} parts of 64 kB`, settings.rounds, {
    link: parts(at.link, 206),
    bucket: parts(at.bucket, 200),
  })
  const statements = (await countStatements(side)) - before
  const kept = [
    judge(`whole file: ${wholeShare.toFixed(2)} of the bucket alone`, {
      limit: `at least ${leastShare.whole}`,
      kept: wholeShare >= leastShare.whole,
    }),
    judge(`parts: ${partShare.toFixed(2)} of the bucket alone`, {
      limit: `at least ${leastShare.parts}`,
      kept: partShare >= leastShare.parts,
    }),
    judge(`statements for all of it: ${statements}`, { limit: '0', kept: statements === 0 }),
  ].every((one) => one)
  say(kept ? 'ok' : 'a limit is not kept')
  return kept ? 0 : 1
}

function judge(what: string, { limit, kept }: { limit: string; kept: boolean }): boolean {
  say(`${what}  limit ${limit}: ${kept ? 'ok' : 'not kept'}`)
  return kept
}

type Downloads = { link: readonly Wanted[]; bucket: readonly Wanted[] }

/** Downloads by turns, and returns the median share of the bucket's bytes a second. */
async function compare(title: string, rounds: number, wanted: Downloads): Promise<number> {
  const speeds: { link: number; bucket: number }[] = []
  for (let n = -warmUpRounds; n < rounds; n++) {
    const speed = { link: 0, bucket: 0 }
    const order = n % 2 === 0 ? (['link', 'bucket'] as const) : (['bucket', 'link'] as const)
    for (const side of order) {
      const all = wanted[side]
      const bytes = all.reduce((sum, one) => sum + one.bytes, 0)
      speed[side] = bytes / (await downloadAll(all, connections)) / 1_000_000
    }
    if (n >= 0) speeds.push(speed)
  }
  const median = (side: 'link' | 'bucket') =>
    quantile(
      speeds.map((one) => one[side]),
      0.5,
    )
  const [link, bucket] = [median('link').toFixed(0), median('bucket').toFixed(0)]
  say(`${title}: by its link ${link} MB/s, from the bucket alone ${bucket} MB/s`)
  return quantile(
    speeds.map((one) => one.link / one.bucket),
    0.5,
  )
}

const created = z.object({ videoId: z.string() })
const finished = z.object({ key: z.string() })
const record = z.object({ finalVideoUrl: z.string() })
const counted = z.object({ statements: z.number() })

/** A video with a finished file, as its record links it. */
async function finishedFile(side: Side, bytes: number): Promise<Addresses> {
  const { baseUrl } = side.worker
  const service = { baseUrl, adminSecret: side.run.secrets.adminSecret }
  const { apiKey } = await ensureLocalAccount(service, side.run.data.localAccount)
  const ask = async (pathname: string, body?: object): Promise<unknown> => {
    const response = await fetch(baseUrl + pathname, {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${pathname}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const request = { fileUrl: 'https://media.example.com/talk.mp4', videoName: 'Talk' }
  const { videoId } = created.parse(await ask('/v1/videos', request))
  const { key } = finished.parse(await ask('/bench/finish', { videoId, bytes }))
  const { finalVideoUrl } = record.parse(await ask(`/v1/videos/${videoId}`))
  return { link: finalVideoUrl, bucket: `${baseUrl}/bench/bucket?key=${encodeURIComponent(key)}` }
}

async function countStatements({ worker }: Side): Promise<number> {
  const response = await fetch(`${worker.baseUrl}/bench/statements`)
  return counted.parse(await response.json()).statements
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
