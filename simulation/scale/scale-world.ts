import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Containers } from '../actors/media/containers.ts'
import { Operator } from '../actors/operator.ts'
import { Life } from '../engine/life.ts'
import { QuietWorld } from '../engine/quiet-world.ts'
import type { Stage } from '../engine/globals.ts'
import { PlainAnswer } from '../engine/plain-response.ts'
import type { Exported } from '../engine/program.ts'
import { Bucket } from '../platform/bucket.ts'
import { commonSettings } from '../platform/common-settings.ts'
import { Database } from '../platform/database.ts'
import { bucketUrl, Deployment, serviceUrl } from '../platform/deployment.ts'
import { Network, type Sent } from '../platform/network.ts'
import { arrivals, containersOf, type Arrival, type BusyDay } from './busy-day.ts'
import { Clients, type Client } from './clients.ts'
import { WorkPace } from './work-pace.ts'

const minuteMs = 60_000
/** Midnight. */
const startsAt = Date.UTC(2026, 10, 23)
const receiverMs = 200

const settings = {
  ...commonSettings,
  MEDIA_WORKER_TOKEN: 'a media worker token',
  // The largest account sends an eighth of all videos.
  RATE_LIMITS: '100000/60,2000000/3600',
}

/** The service with thousands of accounts, in a world in which nothing goes wrong but the troubles in `work-pace.ts`. */
export class ScaleWorld {
  readonly world: QuietWorld
  readonly database: Database
  readonly deployment: Deployment
  readonly clients: Clients
  readonly containers: Containers
  readonly slots: number
  readonly #bucket: Bucket
  readonly #operator: Operator
  readonly #pace: WorkPace
  readonly #day: BusyDay
  readonly #accounts = new Map<string, Promise<Client>>()
  readonly #stage: Stage
  readonly #folder: string
  dayFrom = startsAt
  /** The wait of each video, in seconds. */
  readonly waits: number[] = []
  onMinute: () => void = () => undefined

  constructor({ program, stage }: { program: Exported; stage: Stage }, day: BusyDay) {
    const world = new QuietWorld({ seed: day.seed, startsAt })
    const network = new Network(world)
    this.world = world
    this.#day = day
    this.#stage = stage
    stage.world = world
    stage.fetch = network.fetch
    this.slots = containersOf(day)
    this.#folder = mkdtempSync(path.join(tmpdir(), 'spool-day-'))
    this.database = new Database(world, () => undefined, path.join(this.#folder, 'day.sqlite'))
    this.#bucket = new Bucket(world, { wrote: () => undefined, removes: () => undefined })
    this.#pace = new WorkPace(day.seed, (jobId) => this.#numberOf(jobId))
    this.containers = this.#makeContainers(program, network)
    this.deployment = new Deployment({
      ...{ world, network, settings, program, database: this.database, bucket: this.#bucket },
      containerOf: (name) => this.containers.of(name),
    })
    this.clients = new Clients(world, this.deployment)
    this.#operator = new Operator(this.deployment, program, settings.SPOOL_ADMIN_SECRET)
    this.#connect(network)
  }

  /** Makes accounts and keys before the day begins. */
  async open(): Promise<void> {
    const { world } = this
    let made = 0
    const opening = world.run(new Life('operator'), 'the operator', async () => {
      for (let n = 1; n <= this.#day.accounts; n++) {
        const client = await this.#makeAccount(`a_${n}`)
        this.#accounts.set(`a_${n}`, Promise.resolve(client))
        made++
      }
    })
    await world.loop.runUntil(Infinity, () => made === this.#day.accounts)
    await opening
  }

  /** Begins the day. */
  begin(): readonly Arrival[] {
    const { loop } = this.world
    const nextDay = Math.ceil(loop.now / 86_400_000) * 86_400_000
    this.dayFrom = nextDay
    const all = arrivals(this.#day)
    this.#come(all, 0)
    loop.in(nextDay - loop.now, () => this.#everyMinute())
    return all
  }

  close(): void {
    this.database.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Notes the time from the create to the moment when a media worker has the job. */
  #noteWait(claim: string): void {
    const [job] = this.database.read(
      'SELECT created_at AS at FROM jobs WHERE id = ? AND started_at IS NULL',
      claim.split('/')[0] ?? '',
    )
    if (job) this.waits.push((this.world.loop.wall - Number(job['at'])) / 1000)
  }

  /** The number of the arrival to which this job belongs. */
  #numberOf(jobId: string): number {
    const sql = 'SELECT v.name FROM jobs AS j JOIN videos AS v ON v.id = j.video_id WHERE j.id = ?'
    const [video] = this.database.read(sql, jobId)
    return Number(/\d+$/.exec(String(video?.['name']))?.[0]) - 1
  }

  get ms(): number {
    return this.world.now - this.dayFrom
  }

  #come(all: readonly Arrival[], next: number): void {
    const arrival = all[next]
    if (!arrival) return
    const { loop } = this.world
    loop.in(this.dayFrom + arrival.at - loop.now, () => {
      void this.#send(arrival, next + 1)
      this.#come(all, next + 1)
    })
  }

  async #send({ accountId }: Arrival, number: number): Promise<void> {
    const client = await this.#accounts.get(accountId)
    if (!client) throw new Error(`nobody has the account ${accountId}`)
    await this.clients.send(client, number)
  }

  #everyMinute(): void {
    this.onMinute()
    // Work that is left over ends without the sweep.
    if (this.ms >= this.#day.until * 60 * minuteMs) return
    this.containers.most = this.#pace.containersOf(this.slots, this.ms)
    void this.deployment.tick()
    this.deployment.objects.JOB_RUNNER.forget()
    this.world.loop.in(minuteMs, () => this.#everyMinute())
  }

  #makeContainers(program: Exported, network: Network): Containers {
    const parts = {
      ...{ network, program, pace: this.#pace },
      startMs: () => this.#pace.startMs(this.ms),
      onWork: (claim: string) => this.#noteWait(claim),
      onWorkOver: (claim: string) => this.#pace.forget(claim),
      onDeath: () => undefined,
    }
    return new Containers(this.world, parts, this.slots)
  }

  async #makeAccount(name: string): Promise<Client> {
    const { accountId } = await this.#operator.command({ command: 'accounts.create', name })
    const { apiKey } = await this.#operator.command({
      command: 'keys.create',
      accountId,
      scopes: ['videos:read', 'videos:write'],
    })
    return { name, key: String(apiKey), hook: `https://hooks-of-${name.slice(2)}.example.com/` }
  }

  #connect(network: Network): void {
    const { deployment } = this
    network.serve((url) => {
      if (url.origin === serviceUrl) return async (sent) => deployment.answer(sent)
      if (url.origin === new URL(bucketUrl).origin) return async (sent) => this.#storePart(sent)
      return url.hostname.startsWith('hooks-of-') ? async () => this.#receive() : undefined
    })
  }

  async #receive(): Promise<Response> {
    await this.#stage.world.loop.pause(receiverMs)
    return new PlainAnswer('heard')
  }

  async #storePart({ url, text }: Sent): Promise<Response> {
    const { pathname, searchParams } = new URL(url)
    const key = decodeURIComponent(pathname.replace(/^\/spool-media\//, ''))
    const part = {
      number: Number(searchParams.get('partNumber')),
      bytes: new TextEncoder().encode(text),
    }
    const etag = this.#bucket.putPart(key, searchParams.get('uploadId') ?? '', part)
    if (etag === undefined) return new PlainAnswer(null, { status: 404 })
    return new PlainAnswer(null, { headers: { etag: `"${etag}"` } })
  }
}
