import { Containers, type Container } from '../actors/containers.ts'
import { Order, type Account, type Plan } from '../actors/customer.ts'
import { Exchange } from '../actors/exchange.ts'
import { MediaWorker } from '../actors/media-worker.ts'
import { Operator } from '../actors/operator.ts'
import { Receivers } from '../actors/receivers.ts'
import type { Stage } from '../engine/globals.ts'
import { Life } from '../engine/life.ts'
import type { Exported } from '../engine/program.ts'
import { World, type WorldOptions } from '../engine/world.ts'
import { Bucket } from '../platform/bucket.ts'
import { Database } from '../platform/database.ts'
import { bucketUrl, Deployment, serviceUrl } from '../platform/deployment.ts'
import { Network, type Sent } from '../platform/network.ts'
import { StepPromises } from '../promises/step-promises.ts'
import { WatchGates } from '../promises/watch-gates.ts'
import { WatchLine } from '../promises/watch-line.ts'

const adminSecret = 'an admin secret of at least 32 characters'
const token = 'a media worker token'
const minuteMs = 60_000
const quietMinutes = 60

const settings = {
  ENVIRONMENT: 'production',
  BASE_URL: serviceUrl,
  S3_ENDPOINT: bucketUrl,
  S3_ACCESS_KEY_ID: 'simulated',
  S3_SECRET_ACCESS_KEY: 'simulated secret',
  SPOOL_SECRET: 'a secret of at least 32 characters',
  SPOOL_ADMIN_SECRET: adminSecret,
  MEDIA_WORKER_TOKEN: token,
  RATE_LIMITS: '1000/60,20000/3600',
  READ_RATE_LIMITS: '',
}

/** The service with everything around it, in one world. */
export class Simulation {
  readonly world: World
  readonly database: Database
  readonly bucket: Bucket
  readonly deployment: Deployment
  readonly receivers: Receivers
  readonly promises: StepPromises
  readonly gates: WatchGates
  readonly line: WatchLine
  readonly orders: Order[] = []
  readonly workers: MediaWorker[] = []
  readonly containers: Containers | undefined
  accounts: Account[] = []
  readonly #operator: Operator
  readonly #exchange: Exchange
  readonly #network: Network
  #isCalm = false
  #minutes = 0

  constructor({ program, stage }: { program: Exported; stage: Stage }, options: WorldOptions) {
    const world = new World(options)
    this.world = world
    const network = new Network(world)
    this.#network = network
    stage.world = world
    stage.fetch = network.fetch
    this.database = new Database(world, (what, ...values) => this.promises.hear(what, ...values))
    this.gates = new WatchGates(world)
    this.line = new WatchLine(world, this.database, () => this.freeSlots)
    this.promises = new StepPromises(world, this.database, () => this.line.changed())
    this.bucket = new Bucket(world, (key) => this.promises.hearObject(key))
    this.receivers = new Receivers(world, (id) => this.#wasDeleted(id))
    const hearing = {
      onWork: (claim: string, worker: string, isAlive: () => boolean) => {
        this.promises.hearWork(claim, worker, isAlive)
        this.#disturbWork(claim, worker)
      },
      onWorkOver: (claim: string, how: string) => this.promises.hearEnding(claim, how),
      onDeath: (worker: MediaWorker) => {
        const container = this.containers?.running.find((one) => one.worker === worker)
        if (container) container.stop()
        else this.#kill(worker, worker.name)
      },
    }
    const hasContainers = world.draw('containers') < 0.5
    const count = 2 + Math.floor(2 * world.draw('media workers'))
    if (hasContainers) {
      const parts = { network, program, ...hearing }
      this.containers = new Containers(world, parts, count)
    } else {
      const names = Array.from({ length: count }, (_, i) => `media-${i + 1}`)
      this.workers = names.map((name) => {
        const slots = 1 + Math.floor(2 * world.draw(`slots of ${name}`))
        const rooms = { slots, fetching: 4, graceMs: 20_000 }
        return new MediaWorker(world, program, { name, token, ...rooms, ...hearing })
      })
    }
    const { containers } = this
    this.deployment = new Deployment({
      ...{ world, program, database: this.database, bucket: this.bucket, network },
      settings: { ...settings, MEDIA_WORKER_URLS: this.workers.map(urlOf).join() },
      onGateAnswer: (call) => this.gates.hear(call),
      onRunnerAnswer: (call) => this.promises.hearCall(call),
      ...(containers && { containerOf: (name: string) => containers.of(name) }),
    })
    this.#operator = new Operator(this.deployment, program, adminSecret)
    this.#exchange = new Exchange(this.deployment)
    this.#connect()
  }

  /** Accounts and keys, made before anything goes wrong. */
  async open(): Promise<void> {
    const { world } = this
    const life = new Life('operator')
    const opening = world.run(life, 'the operator opens accounts', async () => {
      for (const [index, name] of ['Ada', 'Ben', 'Cleo', 'Dan'].entries()) {
        this.accounts.push(await this.#makeAccount(name, index))
      }
    })
    await world.loop.runUntil(world.now + 10 * minuteMs, () => this.accounts.length === 4)
    await opening
    this.#everyMinute()
  }

  order(account: Account, { number, at, plan }: { number: number; at: number; plan: Plan }): Order {
    const name = `${account.name} ${number}`
    const { world, line } = this
    const parts = { world, line, exchange: this.#exchange }
    const order = new Order(parts, { name, account, plan })
    this.orders.push(order)
    this.world.loop.in(at - this.world.now, () => void order.live())
    return order
  }

  /** No faults any more: what is broken now has to be mended by the service itself. */
  calm(): void {
    this.#isCalm = true
    for (const worker of this.workers) {
      if (!worker.isUp) worker.restart()
    }
  }

  get slots(): number {
    const { containers, workers } = this
    return containers?.most ?? workers.reduce((sum, worker) => sum + worker.slots, 0)
  }

  get freeSlots(): number {
    const { containers, workers } = this
    if (containers) return containers.free
    return workers.filter(({ isUp }) => isUp).reduce((sum, { free }) => sum + free, 0)
  }

  async #makeAccount(name: string, index: number): Promise<Account> {
    const weight = [1, 1, 2, 5][index] ?? 1
    // The records of one account leave the database soon.
    const keeps = index === 3 ? { retainOutputsDays: 1, archiveAfterDays: 1 } : {}
    const cap = index === 1 ? { maxRunning: 1, rateLimits: '15/60' } : {}
    const plan = { command: 'accounts.create', name, weight, ...keeps, ...cap }
    const { accountId } = await this.#operator.command(plan)
    if (index === 1) this.gates.limits.set(String(accountId), { requests: 15, ms: 60_000 })
    const scopes = ['videos:read', 'videos:write']
    const { apiKey: key } = await this.#operator.command({
      command: 'keys.create',
      accountId,
      scopes,
    })
    const hook =
      index === 0 ? undefined : `https://hooks-of-${name.toLowerCase()}.example.com/spool`
    return { name, accountId: String(accountId), key: String(key), weight, hook }
  }

  /** Who answers at which address. */
  #connect(): void {
    const { workers, receivers, deployment } = this
    this.#network.serve((url) => {
      if (url.origin === serviceUrl) return async (sent) => deployment.answer(sent)
      if (url.origin === new URL(bucketUrl).origin) return async (sent) => this.#storePart(sent)
      const worker = workers.find((one) => urlOf(one) === url.origin)
      if (worker) return worker.answer
      return url.hostname.startsWith('hooks-of-') ? receivers.answer : undefined
    })
  }

  async #storePart({ url, text }: Sent): Promise<Response> {
    const { pathname, searchParams } = new URL(url)
    const key = decodeURIComponent(pathname.replace(/^\/spool-media\//, ''))
    const bytes = new TextEncoder().encode(text)
    const part = { number: Number(searchParams.get('partNumber')), bytes }
    const { faults, now } = this.world
    if (faults.strikes('bucket fails', `part of ${key} ${now}`))
      return new Response(null, { status: 500 })
    const etag = this.bucket.putPart(key, searchParams.get('uploadId') ?? '', part)
    if (etag === undefined) return new Response(null, { status: 404 })
    return new Response(null, { headers: { etag: `"${etag}"` } })
  }

  #wasDeleted(eventId: string): boolean {
    const [event] = this.database.read('SELECT video_id FROM webhook_events WHERE id = ?', eventId)
    return this.promises.deleted.has(String(event?.['video_id']))
  }

  /** Once a minute: what may happen to machines, and the sweep. While nothing is to do, it would find nothing. */
  #everyMinute(): void {
    this.world.loop.in(minuteMs, () => {
      this.#minutes++
      if (this.promises.open.size > 0) this.line.look()
      this.promises.look()
      if (!this.#isCalm) this.#disturb()
      const isWaiting = this.orders.some(({ isOver, videoId }) => videoId !== undefined && !isOver)
      const isBusy = isWaiting || this.promises.open.size > 0
      if (isBusy || this.#minutes % quietMinutes === 0) void this.deployment.tick()
      this.#everyMinute()
    })
  }

  #disturb(): void {
    const { faults, now } = this.world
    const minute = Math.floor(now / minuteMs)
    this.deployment.loseObjects(`minute ${minute}`)
    if (faults.strikes('rollout', `minute ${minute}`)) this.deployment.rollOut()
    if (faults.strikes('clock steps', `minute ${minute}`)) {
      const degree = faults.degree('clock steps', `minute ${minute}`)
      this.deployment.stepClock(Math.round((degree - 0.5) * 20 * minuteMs))
    }
    for (const worker of this.workers) this.#disturbWorker(worker, `${worker.name} ${minute}`)
  }

  /** Work has begun: its media worker may come to harm over it. */
  #disturbWork(claim: string, worker: string): void {
    this.world.loop.in(60_000 * this.world.draw(`harm of ${claim}`) ** 2, () => {
      if (this.#isCalm || !this.promises.isAtWork(claim)) return
      const found = this.workers.find(({ name }) => name === worker)
      if (found) this.#disturbWorker(found, claim)
      const container = this.containers?.running.find((one) => one.worker?.name === worker)
      if (container) this.#disturbContainer(container, claim)
    })
  }

  #disturbContainer(container: Container, key: string): void {
    const { faults } = this.world
    const { worker } = container
    if (faults.strikes('media worker dies', key)) container.stop()
    else if (faults.strikes('media worker freezes', key)) worker?.freeze(this.#away('freeze', key))
    else if (faults.strikes('media worker shut down', key)) {
      void worker?.shutDown().then(() => container.stop())
    }
  }

  #disturbWorker(worker: MediaWorker, key: string): void {
    const { faults, loop } = this.world
    if (!worker.isUp) return
    if (faults.strikes('media worker dies', key)) this.#kill(worker, key)
    else if (faults.strikes('media worker freezes', key)) worker.freeze(this.#away('freeze', key))
    else if (faults.strikes('media worker shut down', key)) {
      void worker.shutDown().then(() => loop.in(1_000, () => worker.restart()))
    } else if (faults.strikes('media worker of another version', key)) {
      worker.refuseFor(this.#away('version', key))
    }
  }

  #kill(worker: MediaWorker, key: string): void {
    const { loop, now } = this.world
    worker.die()
    loop.in(this.#away('death', `${key} ${now}`), () => worker.restart())
  }

  #away(what: string, key: string): number {
    return 1_000 + 1_200_000 * this.world.draw(`${what} ${key}`) ** 3
  }
}

function urlOf({ name }: MediaWorker): string {
  return `https://${name}.example.com`
}
