import { cryptoOf } from './crypto.ts'
import { KeptRequest } from './kept-request.ts'
import { PlainHeaders } from './plain-headers.ts'
import { PlainResponse } from './plain-response.ts'
import { here, within, type Life } from './life.ts'
import type { Scheduled } from './loop.ts'
import { Controller, signalsOf } from './signals.ts'
import type { World } from './world.ts'

type Fetch = (input: string | URL | KeptRequest, init?: RequestInit) => Promise<Response>

/** The world in which the programs of this process live now. Worlds follow one another, because starting a program takes long. */
export type Stage = { world: World; fetch: Fetch }

/**
 * The globals through which programs learn of time, chance and the network; all belong to the world. A program is compiled with
 * these names as its parameters, so it can reach nothing else.
 */
export function globalsOf(stage: Stage): Record<string, unknown> {
  const timers = new Timers(stage)
  return {
    Date: dateOf(stage),
    Math: Object.create(Math, { random: { value: () => here().chance.next() } }) as Math,
    performance: { now: () => stage.world.loop.now },
    setTimeout: (run: () => void, ms = 0) => timers.start(run, ms, false),
    setInterval: (run: () => void, ms = 0) => timers.start(run, ms, true),
    clearTimeout: (id: unknown) => timers.stop(id),
    clearInterval: (id: unknown) => timers.stop(id),
    scheduler: { wait: async (ms: number) => timers.wait(ms) },
    AbortSignal: signalsOf(
      () => stage.world.loop.now,
      (ms, run) => timers.startAndStop(ms, run),
    ),
    AbortController: Controller,
    crypto: cryptoOf(),
    fetch: async (...given: Parameters<Fetch>) => stage.fetch(...given),
    Request: KeptRequest,
    Response: PlainResponse,
    Headers: PlainHeaders,
    console: consoleOf(stage),
    // A class that only workerd has. The addresses of parts make sure that the length is right.
    FixedLengthStream: class extends TransformStream {
      constructor() {
        super()
      }
    },
  }
}

/** `node:timers/promises`, for the media worker. */
export function pauseOf(stage: Stage) {
  const timers = new Timers(stage)
  return async (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    const aborted = Promise.withResolvers<never>()
    signal?.throwIfAborted()
    const stop = (): void => aborted.reject(signal?.reason as Error)
    signal?.addEventListener('abort', stop)
    try {
      await Promise.race([timers.wait(ms), aborted.promise])
    } finally {
      signal?.removeEventListener('abort', stop)
    }
    return value
  }
}

type Timer = { life: Life; scheduled: Scheduled | undefined }

/** Timers that die with the life that has set them. */
class Timers {
  readonly #stage: Stage

  constructor(stage: Stage) {
    this.#stage = stage
  }

  start(run: () => void, ms: number, repeats: boolean): Timer {
    const work = here()
    return this.#begin(() => within(work, run), ms, repeats)
  }

  #begin(run: () => void, ms: number, repeats: boolean): Timer {
    const { life } = here()
    const timer: Timer = { life, scheduled: undefined }
    if (life.isDead) return timer
    const begin = (): void => {
      life.pending++
      timer.scheduled = this.#stage.world.loop.in(ms, () => {
        timer.scheduled = undefined
        life.pending--
        life.reach(() => {
          if (repeats) begin()
          run()
        })
      })
    }
    begin()
    return timer
  }

  startAndStop(ms: number, run: () => void): () => void {
    const timer = this.start(run, ms, false)
    return () => this.stop(timer)
  }

  stop(timer: unknown): void {
    if (typeof timer !== 'object' || timer === null) return
    const { life, scheduled } = timer as Timer
    if (!scheduled) return
    ;(timer as Timer).scheduled = undefined
    scheduled.run = undefined
    life.pending--
  }

  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.#begin(resolve, ms, false))
  }
}

function dateOf(stage: Stage): DateConstructor {
  const now = (): number => stage.world.loop.wall
  return new Proxy(Date, {
    construct: (target, given: [] | [string | number]) =>
      given.length === 0 ? new target(now()) : new target(...given),
    get: (target, name) => {
      const found: unknown = name === 'now' ? now : Reflect.get(target, name)
      return found
    },
  })
}

/** Writes what programs log into the history, without stacks, which name files of this machine. */
function consoleOf(stage: Stage): unknown {
  const hear = (text: unknown): void => {
    const { level, event, error, causes } = JSON.parse(String(text)) as Record<string, string>
    const why = error === undefined ? '' : `: ${error} ${String(causes ?? '')}`
    stage.world.history.note(here().name, `logs ${level}, ${event}${why}`)
  }
  // Successes show elsewhere.
  return { info: () => undefined, warn: hear, error: hear, log: hear }
}
