import { Transform, type TransformCallback } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { isMedia, sniffBytes } from '../../worker/contract/sniff-format.ts'
import { NetworkFaultError } from './guarded-fetch.ts'

/** So long a private host has for the beginning of a file, and every failure of one takes as long. */
export const privatePatienceMs = 10_000

/**
 * What one download tells of the private hosts that it is led to: nothing, until one of them hands out media. A port
 * that is closed, one that is silent, one that speaks something else and one that answers 404 fail alike, and after the
 * same time, so that nobody learns from us what listens on machines we can reach and they cannot.
 */
export class Discretion {
  readonly #isPrivate: (url: URL) => boolean
  readonly #patienceMs: number
  readonly #late = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #endsAt: number | undefined
  /** The private host that was met last, and the one that has handed out media. */
  #met: string | undefined
  #proven: string | undefined

  constructor(isPrivate: (url: URL) => boolean, patienceMs: number) {
    this.#isPrivate = isPrivate
    this.#patienceMs = patienceMs
  }

  /** Before every hop. What one host has shown says nothing of another, or of another port. */
  meet(url: URL): void {
    if (!this.#isPrivate(url)) return
    this.#met = url.origin
    if (!this.isKept || this.#timer !== undefined) return
    this.#endsAt = performance.now() + this.#patienceMs
    const tooLate = () => this.#late.abort(new NetworkFaultError('no media came in time'))
    this.#timer = setTimeout(tooLate, this.#patienceMs)
  }

  /** While it is, no fault is told. */
  get isKept(): boolean {
    return this.#met !== this.#proven
  }

  /** Ends the waiting for a beginning. */
  get signal(): AbortSignal {
    return this.#late.signal
  }

  /** Holds the first bytes back until they have shown that they are media; then `onProven`, and all goes on. */
  stage(onProven: () => void): Transform {
    const held: Buffer[] = []
    const isLong = () => held.reduce((sum, { length }) => sum + length, 0) >= sniffBytes
    const release = (stream: Transform, done: TransformCallback): void => {
      const head = Buffer.concat(held)
      this.#prove(head)
        .then(onProven)
        .then(() => stream.push(head))
        .then(
          () => done(),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        )
    }
    const stage = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        if (!this.isKept) return done(null, chunk)
        held.push(chunk)
        if (isLong()) release(stage, done)
        else done()
      },
      flush: (done) => (this.isKept ? release(stage, done) : done()),
    })
    return stage
  }

  /** Returns when every other failure would have been told too. */
  async keepWaiting(signal: AbortSignal): Promise<void> {
    const leftMs = (this.#endsAt ?? 0) - performance.now()
    if (leftMs > 0) await pause(leftMs, undefined, { signal }).catch(() => undefined)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #prove(head: Buffer): Promise<void> {
    if (!(await isMedia(head))) throw new NetworkFaultError('what came is no media')
    this.#proven = this.#met
    this.close()
  }
}
