import type { Containers } from '../actors/media/containers.ts'
import type { Account } from '../actors/account.ts'
import { BatchOrder } from '../actors/batch-order.ts'
import { Order } from '../actors/customer.ts'
import type { Plan } from '../actors/order-wish.ts'
import { Mails } from '../actors/mails.ts'
import { Exchange } from '../actors/exchange.ts'
import { hurryAround } from '../actors/hurry-around.ts'
import type { ToldEnding } from '../actors/media/work-ending.ts'
import type { MediaWorker } from '../actors/media/media-worker.ts'
import { Operator } from '../actors/operator.ts'
import { Receivers } from '../actors/receivers.ts'
import { Storages } from '../actors/storages.ts'
import type { Stage } from '../engine/globals.ts'
import { Life } from '../engine/life.ts'
import type { Exported } from '../engine/program.ts'
import { World, type WorldOptions } from '../engine/world.ts'
import { Bucket } from '../platform/bucket.ts'
import { answerAtBucket } from '../platform/bucket-address.ts'
import { Database } from '../platform/database.ts'
import { bucketUrl, Deployment, serviceUrl, type Disk } from '../platform/deployment.ts'
import { Network, type Sent } from '../platform/network.ts'
import type { Answered } from '../platform/objects.ts'
import { AttemptRules } from '../promises/attempt-rules.ts'
import { MoneyRules } from '../promises/money-rules.ts'
import { ResultRules } from '../promises/result-rules.ts'
import { StepPromises } from '../promises/step-promises.ts'
import { watchAnswers } from '../promises/watch/watch-answers.ts'
import { WatchArchive } from '../promises/watch/watch-archive.ts'
import { WatchAttempts } from '../promises/watch/watch-attempts.ts'
import { WatchBatches } from '../promises/watch/watch-batches.ts'
import { WatchFiles } from '../promises/watch/watch-files.ts'
import { WatchGates } from '../promises/watch/watch-gates.ts'
import { WatchLine } from '../promises/watch/watch-line.ts'
import { WatchObjects } from '../promises/watch/watch-objects.ts'
import { WatchRefusals } from '../promises/watch/watch-refusals.ts'
import { WatchSlots } from '../promises/watch/watch-slots.ts'
import { WatchUsage } from '../promises/watch/watch-usage.ts'
import { Harm } from './harm.ts'
import { makeMachines } from './machines.ts'
import { nameOwners } from './name-owners.ts'
import { openAccount } from './open-account.ts'
import { commonSettings } from '../platform/common-settings.ts'
import { limitsOf, settingsOf, urlOf } from './service-settings.ts'
import {
  cancelAtWorstMoment,
  changeAtWorstMoment,
  interfereAtWorstMoment,
  repeatLate,
} from './worst-moment.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** How long the sweep pauses while nothing is to do, in bad days and in calm ones. */
const quietMinutes = 60
const calmQuietMinutes = 120
/** While nothing has failed for a while, it has nothing to mend, and would hide what nobody else does. */
const calmMinutes = 5
/** How often somebody looks where nothing happens. */
const idleMinutes = 10
const mendedMs = 45 * minuteMs
/** Longer than the object of a job is silent. */
const silentMs = 180 * minuteMs
/** The service with everything around it, in one world. */
export class Simulation {
  readonly world: World
  readonly database: Database
  readonly bucket: Bucket
  readonly deployment: Deployment
  readonly receivers: Receivers
  readonly promises: StepPromises
  readonly storages: Storages
  readonly files: WatchFiles
  readonly usage: WatchUsage
  readonly gates: WatchGates
  readonly refusals: WatchRefusals
  readonly line: WatchLine
  readonly batches: WatchBatches
  readonly objects: WatchObjects
  readonly attempts: WatchAttempts
  readonly slotWatch: WatchSlots
  readonly mails: Mails
  readonly news: MoneyRules
  readonly results: ResultRules
  readonly attemptRules: AttemptRules
  readonly metricsKey = commonSettings.SPOOL_ADMIN_SECRET
  readonly orders: Order[] = []
  readonly batchOrders: BatchOrder[] = []
  readonly workers: readonly MediaWorker[]
  readonly containers: Containers | undefined
  readonly disk: Disk | undefined
  accounts: Account[] = []
  readonly operator: Operator
  readonly exchange: Exchange
  readonly #network: Network
  readonly #harm: Harm
  #isSweepless: boolean
  #stepMs = minuteMs
  #quietMinutes = quietMinutes
  #minutes = 0
  /** How much had happened at the last look. */
  #seen = 0

  constructor(
    { program, stage }: { program: Exported; stage: Stage },
    options: WorldOptions & { isSweepless: boolean },
  ) {
    this.#isSweepless = options.isSweepless
    const world = new World(options)
    this.world = world
    const network = new Network(world)
    this.#network = network
    stage.world = world
    stage.fetch = network.fetch
    this.database = new Database(world, (what, ...values) => this.promises.hear(what, ...values))
    this.gates = new WatchGates(world)
    this.refusals = new WatchRefusals(world, this.database)
    this.line = new WatchLine(world, this.database, () => this.freeSlots)
    this.files = this.#watchFiles()
    const limits = limitsOf(world)
    this.batches = new WatchBatches(world, this.database)
    this.objects = this.#watchObjects()
    this.usage = new WatchUsage(this.database)
    this.news = new MoneyRules(world, this.database)
    this.results = new ResultRules(world, this.database, () => this.bucket)
    this.attemptRules = new AttemptRules(world, this.database)
    this.promises = new StepPromises(world, this.database, {
      limits,
      ...{ files: this.files, archive: this.#watchArchive(), usage: this.usage },
      rules: [this.news, this.attemptRules, this.results],
      onCreated: (videoId) => this.refusals.created(videoId),
      onQueued: () => this.line.changed(),
      onBatchEnd: (batchId) => this.batches.ended(batchId),
    })
    this.attempts = new WatchAttempts(world, this.database, (claim) => this.promises.isAlive(claim))
    this.slotWatch = this.#watchSlots()
    world.faults.onStrike = cancelAtWorstMoment(world, this.orders)
    const change = changeAtWorstMoment(world, this.orders, () => this)
    this.bucket = new Bucket(world, {
      wrote: (key) => [this.promises.hearObject(key), change(key)],
      removes: (key) => this.files.removes(key),
    })
    this.storages = new Storages(world, this.files)
    this.mails = new Mails(world)
    this.receivers = new Receivers(world, this.database, (id) => this.#mayDiffer(id))
    const parts = { world, network, program }
    const { workers, containers, disk } = makeMachines(parts, this.#hearing())
    ;[this.workers, this.containers, this.disk] = [workers, containers, disk]
    this.deployment = new Deployment({
      ...{ world, program, database: this.database, bucket: this.bucket, network },
      ...{ settings: settingsOf(world, this.workers, limits), disk },
      ...this.#hearingObjects(),
      ...(containers && { containerOf: (name: string) => containers.of(name) }),
    })
    this.#harm = new Harm({
      ...{ world, deployment: this.deployment, workers: this.workers, containers },
      isAtWork: (claim) => this.promises.isAtWork(claim),
      onStep: (inMs) => void hurryAround(this, inMs),
    })
    this.operator = new Operator(this.deployment, program, this.metricsKey)
    this.exchange = new Exchange(this.deployment, watchAnswers(world))
    this.#connect()
  }

  #watchFiles(): WatchFiles {
    return new WatchFiles({
      ...{ world: this.world, database: this.database },
      bucket: () => this.bucket,
      delivered: () => this.storages.objects,
      isAlive: (claim) => this.promises.isAlive(claim),
      courier: (videoId) => this.deployment.storageOf('COURIER', videoId),
    })
  }

  #watchArchive(): WatchArchive {
    return new WatchArchive({
      ...{ world: this.world, database: this.database, bucket: () => this.bucket },
      isDeleting: (videoId) => this.files.isDeleting(videoId),
    })
  }

  #watchObjects(): WatchObjects {
    return new WatchObjects(this.world, this.database, {
      objects: () => this.deployment.objects,
      isStored: (key) => this.bucket.objects.has(key),
    })
  }

  #watchSlots(): WatchSlots {
    return new WatchSlots({
      ...{ world: this.world, database: this.database, freeSlots: () => this.freeSlots },
      planChangedAt: () => this.line.planChangedAt,
      slots: () => (this.containers ? Infinity : this.slots),
      containers: () => this.containers?.running ?? [],
      job: (jobId) => this.deployment.storageOf('JOB_RUNNER', jobId),
      isAlive: (claim) => this.promises.isAlive(claim),
    })
  }

  /** What objects answer. */
  #hearingObjects() {
    return {
      onGateAnswer: (call: Answered) => this.gates.hear(call),
      onRunnerAnswer: (call: Answered) => {
        this.promises.hearCall(call)
        this.objects.heard(call)
        this.slotWatch.heardJob(call)
        this.attemptRules.heard(call)
      },
      onDispatcherAnswer: (call: Answered) => this.slotWatch.heard(call),
      onDeadLetter: (body: unknown) => this.objects.heardDeadLetter(body),
    }
  }

  /** What media workers tell, long after this world has begun. */
  #hearing(): Parameters<typeof makeMachines>[1] {
    return {
      onOffer: this.attemptRules.offered,
      onCancel: this.attemptRules.canceled,
      onWork: (claim: string, worker: string, isAlive: () => boolean) => {
        this.attemptRules.begun(claim, worker, isAlive)
        this.promises.hearWork(claim, isAlive)
        this.line.begins(claim)
        this.#harm.ofWork(claim, worker)
      },
      onWorkOver: (claim: string, how: string, told?: ToldEnding) => {
        this.promises.hearEnding(claim, how)
        this.attemptRules.ended(claim, how)
        this.slotWatch.workOver(claim)
        if (told) this.results.heard(claim, told)
      },
      onDeath: (worker: MediaWorker) => {
        const container = this.containers?.running.find((one) => one.worker === worker)
        if (container) container.stop()
        else this.#harm.kill(worker, worker.name)
      },
    }
  }

  /** Accounts and keys, made before anything goes wrong. */
  async open(): Promise<void> {
    const life = new Life('operator')
    const { exchange, gates, receivers, world } = this
    const parts = { exchange, gates, secrets: receivers.secrets, operator: this.operator }
    const opening = world.run(life, 'the operator opens accounts', async () => {
      for (const [index, name] of ['Ada', 'Ben', 'Cleo', 'Dan'].entries()) {
        const account = await openAccount(parts, { name, index })
        if (name === 'Ben') await nameOwners(account, this)
        this.accounts.push(account)
      }
    })
    await world.loop.runUntil(world.now + 10 * minuteMs, () => this.accounts.length === 4)
    await opening
    this.#everyMinute()
  }

  order(account: Account, { number, at, plan }: { number: number; at: number; plan: Plan }): Order {
    const name = `${account.name} ${number}`
    const { world, line, files } = this
    const parts = { world, line, files, exchange: this.exchange, orders: this.orders }
    const order = new Order(parts, { name, account, plan })
    this.orders.push(order)
    this.world.loop.in(at - this.world.now, () => void order.live())
    return order
  }

  /** Several videos in one request. */
  orderBatch(account: Account, { number, at }: { number: number; at: number }): void {
    const { world, exchange, batches, orders } = this
    const onCancel = (batchId: string): void => batches.canceled(batchId)
    const batch = new BatchOrder(
      { world, exchange, orders, onCancel },
      { name: `${account.name} ${number}`, account },
    )
    this.batchOrders.push(batch)
    world.loop.in(at - world.now, () => void batch.live())
  }

  /** No faults any more: what is broken now has to be mended by the service itself. */
  calm(): void {
    this.#harm.isOver = true
    this.#quietMinutes = calmQuietMinutes
    for (const worker of this.workers) {
      if (!worker.isUp) worker.restart()
    }
  }

  /** In a world without the sweep it comes back when everything else has had its time. */
  sweepAgain(): void {
    this.#isSweepless = false
    this.#quietMinutes = quietMinutes
  }

  /** Nothing happens any more but the sweep, of which one is enough for two days. */
  async passDays(days: number, isOver: () => boolean): Promise<void> {
    this.#stepMs = (2 * dayMs) / quietMinutes
    await this.world.loop.runUntil(this.world.now + days * dayMs, isOver)
  }

  /** The next world gets its databases. */
  close(): void {
    this.deployment.close()
    this.database.close()
  }

  /** How much was asked of the platform, and of objects. */
  get asked(): number {
    const { deployment, world } = this
    const calls = Object.values(deployment.objects).map((all) => all.calls)
    return calls.reduce((sum, n) => sum + n, world.history.count)
  }

  get isSweepless(): boolean {
    return this.#isSweepless
  }

  get slots(): number {
    return this.containers?.most ?? this.workers.reduce((sum, { slots }) => sum + slots, 0)
  }

  get freeSlots(): number {
    const { containers, workers } = this
    if (containers) return containers.free
    return workers.filter(({ isUp }) => isUp).reduce((sum, { free }) => sum + free, 0)
  }

  /** Who answers at which address. */
  #connect(): void {
    const { workers, receivers, deployment, storages, world, bucket } = this
    const at = { world, bucket, mostMs: limitsOf(world).jobMs + hourMs }
    const repeated = { answer: repeatLate(this.world, deployment) }
    const answer = interfereAtWorstMoment(this.world, this.orders, repeated)
    this.#network.serve((url) => {
      if (url.origin === serviceUrl) return async (sent) => this.#heardAnswer(sent, answer)
      if (url.href.startsWith(bucketUrl)) return async (sent) => answerAtBucket(at, sent)
      const worker = workers.find((one) => urlOf(one) === url.origin)
      if (worker) return worker.answer
      if (url.hostname.startsWith('storage-of-')) return storages.answer
      if (url.hostname === 'mail.example.com') return this.mails.answer
      return url.hostname.startsWith('hooks-of-') ? receivers.answer : undefined
    })
  }

  async #heardAnswer(sent: Sent, answer: Deployment['answer']): Promise<Response> {
    const cameAt = this.world.now
    this.attemptRules.reported(sent.url)
    const response = await answer(sent)
    this.refusals.answered(sent.url, response, cameAt)
    return response
  }

  /** A redelivery refreshes the links of an event. */
  #mayDiffer(eventId: string): boolean {
    const [event] = this.database.read('SELECT video_id FROM webhook_events WHERE id = ?', eventId)
    const rows = this.database.read('SELECT id FROM webhook_deliveries WHERE event_id = ?', eventId)
    const isRedelivered = rows.some(({ id }) => this.files.redelivered.has(String(id)))
    return isRedelivered || this.promises.deleted.has(String(event?.['video_id']))
  }

  /** Once a minute: what may happen to machines, and the sweep. While nothing is to do, it would find nothing. */
  #everyMinute(): void {
    this.world.loop.in(this.#stepMs, () => {
      this.#minutes++
      this.#look()
      this.#harm.ofMinute()
      const { faults, now } = this.world
      const isMending =
        faults.lastHarmAt > now - mendedMs || faults.lastOf('object silent') > now - silentMs
      const pause = this.#isBusy ? (isMending ? 1 : calmMinutes) : this.#quietMinutes
      if (this.#minutes % pause === 0 && !this.#isSweepless) void this.deployment.tick()
      this.#everyMinute()
    })
  }

  get #isBusy(): boolean {
    return (
      this.promises.open.size > 0 ||
      this.orders.some(({ isOver, videoId }) => videoId !== undefined && !isOver) ||
      this.batchOrders.some(({ isOver, batchId }) => batchId !== undefined && !isOver)
    )
  }

  /** Where nothing has happened since, only what is late by now can be found. */
  #look(): void {
    const { count } = this.world.history
    const isOpen = this.promises.open.size > 0
    if (!isOpen && count === this.#seen && this.#minutes % idleMinutes !== 0) return
    this.#seen = count
    if (isOpen) {
      this.line.look()
      this.attempts.look()
    }
    this.promises.look()
    this.objects.look()
  }
}
