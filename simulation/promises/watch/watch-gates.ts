import type { World } from '../../engine/world.ts'

type Counting = {
  outcome: string
  lane: string
  caller?: { accountId: string }
  states?: readonly { remaining: number; resetAt: number }[]
  /** Of one that is refused. */
  retryAfterSeconds?: number
}
type Call = { name: string; method: string; answer: unknown }
type Window = { startedAt: number; count: number }

/** Requests that go on with an upload are counted by themselves. A key may send this many times as many of them. */
const uploadFactor = 10

/** Counts once more what the gates of keys count: each request that one executes, in the window that it falls into. */
export class WatchGates {
  readonly #world: World
  readonly #windows = new Map<string, Window>()
  /** The limit of an account whose requests are few enough to meet it. */
  readonly limits = new Map<string, { requests: number; ms: number }>()

  constructor(world: World) {
    this.#world = world
  }

  hear({ name: gate, method, answer }: Call): void {
    if (method !== 'admit') return
    const { outcome, lane, caller, retryAfterSeconds = 0, states = [] } = answer as Counting
    const plan = this.limits.get(caller?.accountId ?? '')
    if (!plan) return
    const factor = lane === 'uploads' ? uploadFactor : 1
    const limit = { ...plan, requests: factor * plan.requests }
    const windows = `${gate} ${lane}`
    const now = this.#world.loop.wall
    const known = this.#windows.get(windows)
    const isOpen = known && Math.abs(now - known.startedAt) < limit.ms
    const window = isOpen ? known : { startedAt: now, count: 0 }
    const isFull = window.count >= limit.requests
    if (outcome === 'admitted') {
      if (isFull)
        this.#world.break(`a gate admitted request ${window.count + 1} of ${limit.requests}`)
      window.count++
      this.#windows.set(windows, window)
    } else if (outcome === 'limited') {
      if (!isFull)
        this.#world.break(`a gate refused request ${window.count + 1} of ${limit.requests}`)
      const leftMs = window.startedAt + limit.ms - now
      if (retryAfterSeconds * 1_000 < leftMs)
        this.#world.break(`a gate is full for ${leftMs} ms, and tells ${retryAfterSeconds} s`)
    }
    const [told] = states
    const left = Math.max(0, limit.requests - window.count)
    if (told && (told.remaining !== left || told.resetAt !== window.startedAt + limit.ms))
      this.#world.break(
        `a gate tells of ${told.remaining} requests until ${told.resetAt}, and ${left} are left until ${window.startedAt + limit.ms}`,
      )
  }
}
