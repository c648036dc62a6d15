import type { PartProgress } from './part-carrier.ts'
import { medianOf } from '../numbers/mean.ts'

/** How far all parts are: how much of each is encoded, including those that are done. */
export type ToldOf<Task> = readonly { readonly task: Task; pictures: number; bytes: number }[]

type WorkOn<Task, Result> = (
  task: Task,
  signal: AbortSignal,
  onProgress: PartProgress,
) => Promise<Result | undefined>

type PartsWork<Task, Result> = {
  readonly tasks: readonly Task[]
  /** The size of a part's work, in pictures or samples. */
  readonly sizeOf: (task: Task) => number
  readonly workHere: WorkOn<Task, Result>
  /** Undefined if no slot is free for it now. */
  readonly workElsewhere: WorkOn<Task, Result>
  /** How many parts may be worked on at a time: here, and elsewhere. */
  readonly here: number
  readonly elsewhere: number
  /** Until this resolves, the cores here have other work. */
  readonly freeHere?: Promise<void> | undefined
  readonly signal: AbortSignal
  readonly onProgress: (told: ToldOf<Task>) => void
  /** Called when a part failed and is tried again. */
  readonly onFailure: (task: Task, error: unknown) => void
}

/** How often a part may fail before everything is done as a whole. */
const mostTries = 3
/** Once this share is done, or all but one, a part that takes this many times as long as usual is begun a second time. */
const hedged = { fromShare: 0.8, factor: 2 } as const
/** How soon a lane asks again after it found no slot. */
const askAgainMs = 2_000

type BegunPart = { readonly begunAt: number; readonly stop: AbortController }

/**
 * Works on all parts, the longest first: a few at a time here, and elsewhere as many as there are slots. Parts that fail or lag
 * are begun again. Rejects if one of them fails too often, and then stops all others.
 */
export async function workInParts<Task, Result>(
  work: PartsWork<Task, Result>,
): Promise<(Task & Result)[]> {
  const ended = new AbortController()
  const signal = AbortSignal.any([work.signal, ended.signal])
  const board = new Board(work)
  const lane = async (run: WorkOn<Task, Result>) => {
    while (!board.isDone) {
      signal.throwIfAborted()
      const task = board.take()
      const isMade = task && (await board.attempt(task, run, signal))
      // The lane elsewhere found no slot, or all parts are being rendered.
      if (!isMade && !board.isDone) await board.change(signal)
    }
  }
  const lanes = [
    ...Array.from({ length: work.here }, async () => {
      await work.freeHere
      return lane(work.workHere)
    }),
    ...Array.from({ length: work.elsewhere }, async () => lane(work.workElsewhere)),
  ]
  try {
    await Promise.all(lanes)
  } catch (error) {
    ended.abort(error)
    await Promise.allSettled(lanes)
    throw error
  }
  return board.made()
}

/** Which parts wait, run and are done. */
class Board<Task, Result> {
  readonly #work: PartsWork<Task, Result>
  readonly #waiting: Task[]
  readonly #running = new Map<Task, Set<BegunPart>>()
  readonly #done = new Map<Task, Result>()
  readonly #tries = new Map<Task, number>()
  readonly #told: { task: Task; pictures: number; bytes: number }[]
  /** The time that each finished part took in relation to its size. */
  readonly #paces: number[] = []
  #changed = Promise.withResolvers<void>()

  constructor(work: PartsWork<Task, Result>) {
    this.#work = work
    this.#waiting = work.tasks.toSorted((a, b) => work.sizeOf(b) - work.sizeOf(a))
    this.#told = work.tasks.map((task) => ({ task, pictures: 0, bytes: 0 }))
  }

  get isDone(): boolean {
    return this.#done.size === this.#work.tasks.length
  }

  /** The next part, or one that lags. */
  take(): Task | undefined {
    return this.#waiting.shift() ?? this.#lagging()
  }

  made(): (Task & Result)[] {
    return this.#work.tasks.flatMap((task) => {
      const result = this.#done.get(task)
      return result ? [{ ...task, ...result }] : []
    })
  }

  /** Resolves when a part ends, or after a while. */
  async change(signal: AbortSignal): Promise<void> {
    const timer = Promise.withResolvers<void>()
    const timeout = setTimeout(timer.resolve, askAgainMs)
    const stop = (): void => timer.resolve()
    signal.addEventListener('abort', stop, { once: true })
    await Promise.race([this.#changed.promise, timer.promise])
    signal.removeEventListener('abort', stop)
    clearTimeout(timeout)
  }

  /** Runs a part once. Returns false if no slot was free for it. */
  async attempt(task: Task, run: WorkOn<Task, Result>, signal: AbortSignal): Promise<boolean> {
    const one: BegunPart = { begunAt: performance.now(), stop: new AbortController() }
    const runs = this.#running.get(task) ?? new Set()
    this.#running.set(task, runs.add(one))
    try {
      const both = AbortSignal.any([signal, one.stop.signal])
      const result = await run(task, both, (told) => this.#tell(task, told))
      if (result) this.#finish(task, one, result)
      else if (!this.#done.has(task) && runs.size === 1) this.#waiting.unshift(task)
      return result !== undefined
    } catch (error) {
      signal.throwIfAborted()
      if (!this.#done.has(task)) this.#fail(task, error, runs.size === 1)
      return true
    } finally {
      runs.delete(one)
      this.#changed.resolve()
      this.#changed = Promise.withResolvers()
    }
  }

  #finish(task: Task, { begunAt }: BegunPart, result: Result): void {
    if (this.#done.has(task)) return
    this.#done.set(task, result)
    this.#paces.push((performance.now() - begunAt) / Math.max(1, this.#work.sizeOf(task)))
    for (const { stop } of this.#running.get(task) ?? []) stop.abort(new Error('It was made twice'))
  }

  #fail(task: Task, error: unknown, isLast: boolean): void {
    const tries = (this.#tries.get(task) ?? 0) + 1
    this.#tries.set(task, tries)
    this.#work.onFailure(task, error)
    if (tries >= mostTries) throw error
    if (isLast) this.#waiting.unshift(task)
  }

  #tell(task: Task, { pictures, bytes }: Parameters<PartProgress>[0]): void {
    const told = this.#told.find((one) => one.task === task)
    if (!told || pictures < told.pictures) return
    Object.assign(told, { pictures, bytes })
    this.#work.onProgress(this.#told)
  }

  #lagging(): Task | undefined {
    const { length } = this.#work.tasks
    if (this.#done.size < Math.min(length * hedged.fromShare, length - 1)) return undefined
    const usual = medianOf(this.#paces)
    for (const [task, runs] of this.#running) {
      const [only] = runs
      if (runs.size !== 1 || !only || this.#done.has(task)) continue
      const pace = (performance.now() - only.begunAt) / Math.max(1, this.#work.sizeOf(task))
      if (pace > usual * hedged.factor) return task
    }
    return undefined
  }
}
