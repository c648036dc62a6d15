import type { Exported } from '../../engine/program.ts'
import type { World } from '../../engine/world.ts'
import { sentOf, type Network } from '../../platform/network.ts'
import { MediaWorker, type MediaOptions } from './media-worker.ts'

type Hearing = Pick<
  MediaOptions,
  'onOffer' | 'onCancel' | 'onWork' | 'onWorkOver' | 'onDeath' | 'pace'
>
type ContainerParts = {
  network: Network
  program: Exported
  /** How long a start takes; if absent, chance decides. */
  startMs?: () => number
} & Hearing
/** How long a container with another image takes no job. */
const otherVersionMs = 1_200_000
/** The share of slow starts that never finish. */
const hopeless = 0.3
/** How long a slow start takes; within that time, its job asks again whether it is ready. */
const slowMs = 25_000
const readyMs = 15_000

type StartOptions = { enableInternet?: boolean; env?: Record<string, string> }

/** The containers of a deployment: one for each object that has started one, up to a limit. */
export class Containers {
  readonly #world: World
  readonly #network: Network
  readonly #program: Exported
  readonly #hearing: Hearing
  most: number
  /** Whether the next container to start has an older image. */
  nextIsOlder = false
  /** Whether the next start takes far longer than an offer. */
  nextIsSlow = false
  /** Whether the next to start takes connections at once, and answers only when it is ready. */
  nextIsMute = false
  readonly #startMs: (() => number) | undefined
  readonly #all = new Map<string, Container>()
  readonly #up = new Set<Container>()
  #count = 0

  constructor(world: World, parts: ContainerParts, most: number) {
    this.#world = world
    this.#network = parts.network
    this.#program = parts.program
    const { onOffer, onCancel, onWork, onWorkOver, onDeath, pace } = parts
    const hearing = { onWork, onWorkOver, onDeath, ...(pace && { pace }) }
    this.#hearing = { ...hearing, ...(onOffer && { onOffer }), ...(onCancel && { onCancel }) }
    this.#startMs = parts.startMs
    this.most = most
  }

  get running(): Container[] {
    return [...this.#up]
  }

  get free(): number {
    return this.most - this.#up.size
  }

  /** The `ctx.container` of an object of this name. */
  of(name: string): Container {
    const known = this.#all.get(name)
    if (known) return known
    const made = new Container(name, {
      world: this.#world,
      network: this.#network,
      start: (env) => this.#start(name, env),
      isMute: () => this.#isMute(),
      onRun: (container, runs) => this.#heard(name, container, runs),
      startMs: () => this.#startTime(name),
    })
    return made
  }

  /** How long a start takes. The job begins soon after a slow container is ready. */
  #startTime(name: string): number | undefined {
    if (!this.nextIsSlow) return this.#startMs?.()
    this.nextIsSlow = false
    const slow = this.#all.get(name)?.worker
    this.#world.loop.in(slowMs + readyMs, () => {
      const { worker } = this.#all.get(name) ?? {}
      // The first attempt may have failed since, and another container may be about to start.
      if (worker && worker === slow && worker.free === worker.slots)
        this.#world.break(`the container of ${name} is ready, and has nothing to do`)
    })
    return slowMs
  }

  /** A container that does not run remembers nothing. */
  #heard(name: string, container: Container, runs: boolean): void {
    if (runs) {
      this.#up.add(container)
      this.#all.set(name, container)
    } else {
      this.#up.delete(container)
      // An object of this name may have started another one meanwhile.
      if (this.#all.get(name) === container) this.#all.delete(name)
    }
  }

  #isMute(): boolean {
    const isMute = this.nextIsMute
    this.nextIsMute = false
    return isMute
  }

  #start(name: string, env: Record<string, string>): MediaWorker {
    const isRefused = this.#world.faults.strikes('container refused', `${name} ${this.#world.now}`)
    if (isRefused || this.free <= 0) {
      throw new Error('There is no container instance that can be provided to this durable object')
    }
    const { MEDIA_SLOTS: slots = 2, MEDIA_FETCHING: fetching = 4 } = env
    const rooms = { slots: Number(slots), fetching: Number(fetching), graceMs: 800_000 }
    const token = env['MEDIA_WORKER_TOKEN'] ?? ''
    // Each container is another worker, also of the same object.
    const own = `container ${++this.#count} of ${name}`
    const options = { name: own, token, ...rooms, ...this.#hearing }
    const worker = new MediaWorker(this.#world, this.#program, options)
    if (this.nextIsOlder) worker.refuseFor(otherVersionMs)
    this.nextIsOlder = false
    return worker
  }
}

type Parts = {
  world: World
  network: Network
  start: (env: Record<string, string>) => MediaWorker
  isMute: () => boolean
  onRun: (container: Container, runs: boolean) => void
  /** Undefined if chance decides. */
  startMs: () => number | undefined
}

export class Container {
  /** The name of the object that has the container. */
  readonly name: string
  readonly #parts: Parts
  #worker: MediaWorker | undefined
  #readyAt = 0
  #isMute = false
  #told: (() => void)[] = []
  #stopsAt = Infinity

  constructor(name: string, parts: Parts) {
    this.name = name
    this.#parts = parts
  }

  get running(): boolean {
    return this.#worker !== undefined
  }

  get worker(): MediaWorker | undefined {
    return this.#worker
  }

  start({ enableInternet = false, env = {} }: StartOptions = {}): void {
    if (this.#worker)
      throw new Error('start() cannot be called on a container that is already running.')
    const { world } = this.#parts
    if (!enableInternet)
      world.break(`the container of ${this.name} is started without a way to its sources`)
    const worker = this.#parts.start(env)
    this.#worker = worker
    this.#isMute = this.#parts.isMute()
    this.#parts.onRun(this, true)
    const key = `${this.name} ${world.now}`
    const isSlow = world.faults.strikes('container slow', key)
    const most = isSlow ? 240_000 : 4_000
    // Some containers never answer.
    const isHopeless = isSlow && world.draw(`hope for ${key}`) < hopeless
    const drawnMs = isHopeless ? Infinity : 1_000 + most * world.draw(`start ${key}`)
    const startMs = this.#parts.startMs() ?? drawnMs
    this.#readyAt = world.now + startMs
    this.#stopsAt = world.now + 600_000
    if (world.faults.strikes('media worker of another version', key))
      worker.refuseFor(otherVersionMs)
    this.#watch(worker)
  }

  async monitor(): Promise<void> {
    if (!this.#worker) throw new Error('the container is not running')
    await new Promise<void>((resolve) => this.#told.push(resolve))
  }

  async destroy(): Promise<void> {
    this.stop()
  }

  async setInactivityTimeout(ms: number): Promise<void> {
    this.#stopsAt = this.#parts.world.now + ms
  }

  getTcpPort() {
    const { network } = this.#parts
    return {
      fetch: async (input: string, init?: RequestInit): Promise<Response> =>
        network.send(sentOf(input, init), init?.signal, async (sent) => {
          const isReady = this.#parts.world.now >= this.#readyAt
          if (this.#worker && !isReady && this.#isMute) return 'never'
          if (!this.#worker || !isReady) throw new Error('connection refused')
          return this.#worker.answer(sent)
        }),
    }
  }

  /** Ends the container, and tells those that watch it if they still exist. */
  stop(): void {
    this.#worker?.die()
    this.#worker = undefined
    this.#parts.onRun(this, false)
    for (const tell of this.#told.splice(0)) tell()
  }

  /** Stops the container, as the platform does, once it gets no more requests. */
  #watch(worker: MediaWorker): void {
    const { world } = this.#parts
    world.loop.in(this.#stopsAt - world.now, () => {
      if (this.#worker !== worker) return
      if (world.now < this.#stopsAt) this.#watch(worker)
      else this.stop()
    })
  }
}
