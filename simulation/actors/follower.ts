import type { World } from '../engine/world.ts'
import type { Exchange } from './exchange.ts'

type Told = Record<string, unknown> & { videoId: string; status: string }
type Parts = { world: World; exchange: Exchange }
type Of = { name: string; key: string; path: string }
type Read = { done: boolean; value?: unknown } | 'silence' | 'broken'

/** A stream sends at least a comment every 15 seconds. */
const silentMs = 60_000
const reconnectMs = 2_000
const beginsWithinMs = 5_000
/** Longer than any lateness lasts. */
const undisturbedMs = 25 * 60_000
/** An object may be silent for two hours. */
const mostStreams = 8_000

/** A page that shows a video while it is made: it follows the events, and reconnects when a stream breaks off. */
export class Follower {
  readonly #parts: Parts
  readonly #of: Of
  #percent = 0
  #lastEventId: string | undefined
  #end: Told | undefined
  #streams = 0
  /** The last record received. */
  told: Told | undefined

  constructor(parts: Parts, of: Of) {
    this.#parts = parts
    this.#of = of
  }

  /** The record at the end of the video; undefined if the stream never sent one. */
  async follow(): Promise<Told | undefined> {
    const { loop } = this.#parts.world
    while (this.#streams++ < mostStreams) {
      const response = await this.#ask()
      if (response?.status === 204 && this.#end) return this.#end
      if (response?.status === 404) return undefined
      if (response?.status === 200) await this.#read(response)
      // It reconnects once after the end, as a browser does, and learns that nothing follows.
      const pauseMs = response ? reconnectMs : 10_000
      await loop.pause(pauseMs * (1 + this.#drawn(`pause ${this.#streams}`)))
    }
    return undefined
  }

  async #ask(): Promise<Response | undefined> {
    const { name: who, key, path } = this.#of
    const lastEventId = this.#lastEventId
    return this.#parts.exchange.open({ who, method: 'GET', path, key, lastEventId })
  }

  async #read({ body }: Response): Promise<void> {
    if (!body) return
    const reader = body.getReader()
    const { faults, loop } = this.#parts.world
    const key = `${this.#of.name} stream ${this.#streams}`
    const breaks = Promise.withResolvers<'broken'>()
    if (faults.strikes('stream breaks', key)) {
      loop.in(60_000 * faults.degree('stream breaks', key) ** 2, () => breaks.resolve('broken'))
    }
    this.#expectBeginning()
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const read = await this.#next(reader, breaks.promise)
      if (typeof read === 'string') {
        if (read === 'silence') this.#judgeSilence()
        await reader.cancel().catch(() => undefined)
        return
      }
      if (read.done) return this.#expectEnd()
      text += decoder.decode(read.value as Uint8Array, { stream: true })
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) this.#hear(event)
    }
  }

  /** Unless something fails, a stream begins with the present state. */
  #expectBeginning(): void {
    const { faults, loop, now } = this.#parts.world
    const [stream, told] = [this.#streams, this.told]
    loop.in(beginsWithinMs, () => {
      const isOver = this.#end !== undefined || this.#streams !== stream
      if (this.told !== told || isOver || faults.lastHarmAt > now - undisturbedMs) return
      this.#parts.world.break(`${this.#of.name}: a stream did not begin with the record`)
    })
  }

  /** Unless something fails, the service closes a stream with the end of the video. */
  #expectEnd(): void {
    const { faults, now, rolledOutAt } = this.#parts.world
    const disturbedAt = Math.max(faults.lastHarmAt, rolledOutAt)
    if (this.#end !== undefined || disturbedAt > now - undisturbedMs) return
    this.#parts.world.break(`${this.#of.name}: a stream was closed without an end`)
  }

  /** Unless something fails, a stream without news sends comments. */
  #judgeSilence(): void {
    const { faults, now, rolledOutAt } = this.#parts.world
    if (Math.max(faults.lastHarmAt, rolledOutAt) > now - undisturbedMs) return
    this.#parts.world.break(`${this.#of.name}: a stream has said nothing for a minute`)
  }

  async #next(
    reader: { read: () => Promise<{ done: boolean; value?: unknown }> },
    breaks: Promise<'broken'>,
  ): Promise<Read> {
    const silence = Promise.withResolvers<'silence'>()
    const timer = this.#parts.world.loop.in(silentMs, () => silence.resolve('silence'))
    const read = reader.read().catch(() => 'broken' as const)
    const first = await Promise.race([read, silence.promise, breaks])
    timer.run = undefined
    return first
  }

  #hear(event: string): void {
    const type = /^event: (.*)$/m.exec(event)?.[1]
    const data = /^data: (.*)$/m.exec(event)?.[1]
    if (type === undefined || data === undefined) return
    const { world } = this.#parts
    const record = JSON.parse(data) as Told
    this.told = record
    const { name } = this.#of
    world.history.note(name, `hears ${type}, ${record.status} ${String(record['progressPercent'])}`)
    const percent = Number(record['progressPercent'])
    if (this.#end) world.break(`${name}: a stream told ${type} after the end`)
    if (type === 'progress' && record.status === 'running' && percent < this.#percent) {
      world.break(`${name}: a stream told ${percent} % after ${this.#percent} %`)
    }
    this.#percent = Math.max(this.#percent, percent)
    if (type !== 'end') return
    this.#end = record
    this.#lastEventId = /^id: (.*)$/m.exec(event)?.[1]
    if (this.#lastEventId !== `${record.videoId}.end`) {
      world.break(`${name}: the end has the id ${String(this.#lastEventId)}`)
    }
  }

  #drawn(what: string): number {
    return this.#parts.world.draw(`${this.#of.name} follows ${what}`)
  }
}
