import type { Bound, Ran } from '../platform/database.ts'
import type { ScaleWorld } from './scale-world.ts'

type OnBatch = (all: readonly Bound[], ran: Ran) => void
type Time = { count: number; ms: number }
/** Lengths of the line are grouped by these upper ends. */
const lengths = [0, 10, 100, 1_000, 10_000, 100_000] as const
const dayMs = 86_400_000

export type TimeOf = { name: string; count: number; microseconds: number }

/** Watches a busy day minute by minute, and measures where the processor spends its time. */
export class WatchDay {
  longestLine = 0
  mostSlots = 0
  readonly #scale: ScaleWorld
  #line = 0
  readonly #events = new Map<string, Time>()
  readonly #statements = new Map<string, [first: Time, last: Time]>()
  readonly #onBatch: OnBatch

  constructor(scale: ScaleWorld, onBatch: OnBatch) {
    this.#scale = scale
    this.#onBatch = onBatch
    const { world, database } = scale
    world.loop.onRan = (about, ms) => this.#hearEvent(about, ms)
    database.onRan = (all, ran) => this.#hearBatch(all, ran)
  }

  /** Once a minute. */
  look(): void {
    const [row] = this.#scale.database.read(
      "SELECT count(*) AS waiting FROM videos WHERE status = 'queued'",
    )
    this.#line = Number(row?.['waiting'])
    this.longestLine = Math.max(this.longestLine, this.#line)
    this.mostSlots = Math.max(this.mostSlots, this.#scale.containers.running.length)
  }

  /** Processor time of one call of the dispatcher, by the length of the line. */
  dispatcherTimes(): TimeOf[] {
    return timesOf(this.#events, (name) => name.startsWith('Dispatcher'))
  }

  /** Processor time of everything, by the kind of call. */
  allTimes(): TimeOf[] {
    const all = new Map<string, Time>()
    for (const [name, time] of this.#events) add(all, name.split(/[. ]/)[0] ?? name, time)
    return timesOf(all, () => true)
  }

  /** Processor time of a batch of statements in the first and in the last third of the day. */
  statementTimes(): { name: string; count: number; first: number; last: number }[] {
    return [...this.#statements]
      .filter(([, [first, last]]) => first.count > 20 && last.count > 20)
      .map(([name, [first, last]]) => ({
        name,
        count: first.count + last.count,
        first: microseconds(first),
        last: microseconds(last),
      }))
      .sort((a, b) => b.count * b.last - a.count * a.last)
  }

  #hearEvent(about: string, ms: number): void {
    const open = about.indexOf('(')
    const name = open > 0 ? about.slice(0, open) : (about.split(' ', 1)[0] ?? about)
    if (name !== 'Dispatcher') return add(this.#events, name, { count: 1, ms })
    const method = about.slice(about.indexOf(')') + 1)
    const most = lengths.find((length) => this.#line <= length) ?? 'more'
    // An event begins a call or continues it; calls are counted by their beginnings.
    add(this.#events, `${name}${method} with up to ${most} waiting`, { count: 1, ms })
  }

  #hearBatch(all: readonly Bound[], ran: Ran): void {
    const { ms } = ran
    this.#onBatch(all, ran)
    const third = Math.floor((3 * this.#scale.ms) / dayMs)
    if (third !== 0 && third !== 2) return
    const name = all.map(({ text }) => text.name).join(' + ')
    const times = this.#statements.get(name) ?? [
      { count: 0, ms: 0 },
      { count: 0, ms: 0 },
    ]
    this.#statements.set(name, times)
    const time = times[third === 0 ? 0 : 1]
    time.count++
    time.ms += ms
  }
}

function add(times: Map<string, Time>, name: string, { count, ms }: Time): void {
  const known = times.get(name) ?? { count: 0, ms: 0 }
  known.count += count
  known.ms += ms
  times.set(name, known)
}

function timesOf(times: ReadonlyMap<string, Time>, wants: (name: string) => boolean): TimeOf[] {
  return [...times]
    .filter(([name]) => wants(name))
    .map(([name, time]) => ({ name, count: time.count, microseconds: microseconds(time) }))
    .sort((a, b) => b.count * b.microseconds - a.count * a.microseconds)
}

function microseconds({ count, ms }: Time): number {
  return count === 0 ? 0 : (1000 * ms) / count
}
