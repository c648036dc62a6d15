import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { callAdmin } from '../../scripts/admin/call-admin.ts'
import { killGroup } from '../../scripts/machine/kill-group.ts'
import { root } from '../../scripts/machine/checkout.ts'
import { ensureLocalAccount } from '../../scripts/start/local-account.ts'
import { describeMachine } from '../machine.ts'
import { quantile } from '../requests/figures.ts'
import type { HostedWorker } from '../requests/hosted-worker.ts'
import { startSide, type Side } from '../requests/start-side.ts'
import { copySource } from '../requests/targets.ts'
import { memoryBelow } from '../start/process-memory.ts'
import { OneSlot } from './one-slot.ts'
import { backlogHelp, readBacklogSettings, type BacklogSettings } from './settings.ts'

export { backlogHelp }

const limits = { nextMs: 200, recoveredMs: 60_000, memoryMebibytes: 64 }

/** Returns 0 if the limits are kept, 1 if one is not, 130 if it was stopped. */
export async function runBacklog(args: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = readBacklogSettings(args)
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-'))
  const slot = await OneSlot.open()
  const service = new Service(folder, slot, stop)
  process.on('exit', () => service.killNow())
  try {
    await service.start()
    return await measure(service, slot, settings)
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    await service.stop()
    slot.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const counted = z.object({ statements: z.number() })
const created = z.object({ videoId: z.string() })
const waiting = z.object({ status: z.string(), queuePosition: z.number().optional() })

/** The service with its own data; it can be killed and started again. */
class Service {
  readonly #folder: string
  readonly #slot: OneSlot
  readonly #stop: AbortSignal
  readonly #main: string
  #side: Side | undefined
  #worker: HostedWorker | undefined

  constructor(folder: string, slot: OneSlot, stop: AbortSignal) {
    this.#folder = folder
    this.#slot = slot
    this.#stop = stop
    const copy = path.join(folder, 'source')
    copySource(copy)
    this.#main = path.join(copy, 'bench/backlog/entry.js')
    cpSync(path.join(import.meta.dirname, 'entry.js'), this.#main)
  }

  async start(): Promise<void> {
    const { url } = this.#slot
    this.#side = await startSide(
      {
        name: 'The service',
        mode: 'server',
        folder: this.#folder,
        readyPath: '/health',
        source: path.join(root, 'wrangler.toml'),
        main: this.#main,
        variables: { MEDIA_WORKER_URLS: url },
      },
      this.#stop,
      (worker) => (this.#worker = worker),
    )
    this.#slot.baseUrl = this.#side.worker.baseUrl
  }

  get admin() {
    if (!this.#side) throw new Error('The service does not run')
    const { worker, run } = this.#side
    return { baseUrl: worker.baseUrl, adminSecret: run.secrets.adminSecret }
  }

  async localKey(): Promise<string> {
    const file = this.#side?.run.data.localAccount ?? ''
    return (await ensureLocalAccount(this.admin, file)).apiKey
  }

  /** An account that has had no video. */
  async newcomer(): Promise<{ accountId: string; key: string }> {
    const { accountId } = await callAdmin(this.admin, { command: 'accounts.create' })
    const scopes: ('videos:read' | 'videos:write')[] = ['videos:read', 'videos:write']
    const key = { command: 'keys.create', accountId, name: 'new', scopes } as const
    return { accountId, key: (await callAdmin(this.admin, key)).apiKey }
  }

  async ask(pathname: string, { key = '', body }: { key?: string; body?: object } = {}) {
    const response = await fetch(this.admin.baseUrl + pathname, {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${pathname}: ${response.status} ${await response.text()}`)
    return await response.json()
  }

  async create(key: string): Promise<string> {
    const body = { fileUrl: 'https://media.example.com/talk.mp4' }
    return created.parse(await this.ask('/v1/videos', { key, body })).videoId
  }

  async statements(): Promise<number> {
    return counted.parse(await this.ask('/bench/statements')).statements
  }

  /** Of the runtime, in which the Worker, its objects and the database are. */
  mebibytes(): number {
    return memoryBelow(this.#worker?.group ?? 0)
      .filter(({ name }) => name.startsWith('workerd'))
      .reduce((sum, one) => sum + one.mebibytes, 0)
  }

  async kill(): Promise<void> {
    this.killNow()
    if (this.#worker) await killGroup(this.#worker.group)
  }

  killNow(): void {
    this.#worker?.killNow()
  }

  async stop(): Promise<void> {
    await this.#worker?.stop()
  }
}

async function measure(
  service: Service,
  slot: OneSlot,
  settings: BacklogSettings,
): Promise<number> {
  say(describeMachine())
  const { jobs, accounts } = settings
  const key = await service.localKey()
  const like = await service.create(key)
  await slot.taken()
  const watched = await service.create(key)
  const before = service.mebibytes()
  await service.ask('/bench/fill', { body: { jobs, accounts, like } })
  await service.ask('/bench/sweep')
  await untilInLine(service, key, watched)
  const grown = service.mebibytes() - before
  say(`${jobs} jobs of ${accounts} accounts wait for one slot`)
  const kept = [
    judge(`memory of the runtime, grown by the line: ${grown.toFixed(0)} MiB`, {
      limit: `${limits.memoryMebibytes} MiB`,
      kept: grown <= limits.memoryMebibytes,
    }),
    await judgeRest(service, slot, settings),
    await judgeSlots(service, slot, settings),
    await judgeNewcomer(service, slot),
    await judgeRecovery(service, slot, { key, watched }),
  ].every((one) => one)
  say(kept ? 'ok' : 'a limit is not kept')
  return kept ? 0 : 1
}

/** Nothing moves: the one job that runs goes on, and reports. */
async function judgeRest(
  service: Service,
  slot: OneSlot,
  { seconds }: BacklogSettings,
): Promise<boolean> {
  const [before, refused] = [await service.statements(), slot.refused]
  await delay(seconds * 1000)
  const atRest = (await service.statements()) - before
  const offers = slot.refused - refused
  await service.ask('/bench/sweep')
  const swept = (await service.statements()) - before - atRest
  say(`one sweep, once a minute: ${swept} statements for everything that it looks after`)
  return [
    judge(`statements in ${seconds} s in which nothing moves: ${atRest}`, {
      limit: '0',
      kept: atRest === 0,
    }),
    judge(`jobs offered in vain in that time: ${offers}`, { limit: '0', kept: offers === 0 }),
  ].every((one) => one)
}

async function judgeSlots(
  service: Service,
  slot: OneSlot,
  { rounds, accounts }: BacklogSettings,
): Promise<boolean> {
  // The first one compiles code.
  await slot.goOn()
  const before = await service.statements()
  const times: number[] = []
  const order: string[] = []
  while (times.length < rounds) {
    const { account, tookMs } = await slot.goOn()
    times.push(tookMs)
    order.push(account)
  }
  const each = ((await service.statements()) - before) / rounds
  const [median, late] = [quantile(times, 0.5), quantile(times, 0.95)]
  const round = order.slice(0, Math.min(rounds, accounts))
  const distinct = new Set(round).size
  say(`statements from one slot that falls free to the next: ${each.toFixed(1)}`)
  return [
    judge(`a free slot is offered to the next job in ${ms(median)}, 19 of 20 in ${ms(late)}`, {
      limit: `${limits.nextMs} ms`,
      kept: late <= limits.nextMs,
    }),
    judge(`${distinct} accounts had the first ${round.length} slots`, {
      limit: `${round.length}`,
      kept: distinct === round.length,
    }),
  ].every((one) => one)
}

/** The first job of a new account is next, behind all that wait. */
async function judgeNewcomer(service: Service, slot: OneSlot): Promise<boolean> {
  const { accountId, key } = await service.newcomer()
  const videoId = await service.create(key)
  await untilInLine(service, key, videoId)
  const isNext = (await slot.goOn()).account === accountId
  return judge(`the next slot goes to the first job of a new account: ${isNext ? 'yes' : 'no'}`, {
    limit: 'yes',
    kept: isNext,
  })
}

async function judgeRecovery(
  service: Service,
  slot: OneSlot,
  { key, watched }: { key: string; watched: string },
): Promise<boolean> {
  await service.kill()
  slot.forget()
  await service.start()
  const began = performance.now()
  const next = slot.taken().then(() => performance.now() - began)
  await untilInLine(service, key, watched)
  const wholeMs = performance.now() - began
  const nextMs = await next
  say(
    `after a kill of everything, from the first answer on: the whole line known in ${ms(wholeMs)}`,
  )
  return judge(`and the free slot taken in ${ms(nextMs)}`, {
    limit: ms(limits.recoveredMs),
    kept: nextMs <= limits.recoveredMs,
  })
}

async function untilInLine(service: Service, key: string, videoId: string): Promise<void> {
  for (let look = 0; look < 600; look++) {
    const record = waiting.parse(await service.ask(`/v1/videos/${videoId}`, { key }))
    if (record.queuePosition !== undefined || record.status !== 'queued') return
    await delay(100)
  }
  throw new Error(`${videoId} does not stand in line`)
}

function judge(what: string, { limit, kept }: { limit: string; kept: boolean }): boolean {
  say(`${what}  limit ${limit}: ${kept ? 'ok' : 'not kept'}`)
  return kept
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
