import { Transform, type TransformCallback } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { isMedia, sniffBytes } from '../../../worker/contract/video/sniff-format.ts'
import { NetworkFaultError } from './guarded-fetch.ts'

/** How long a private host may take for the beginning of a file, and how long each of its failures takes. */
export const privatePatienceMs = 10_000

/**
 * Decides what one download reveals about private hosts: nothing, until one of them sends media. A closed port, a silent one,
 * one that speaks another protocol and one that answers 404 all fail with the same message after the same time, so that the
 * service cannot be used to explore machines that only it can reach.
 */
export class PrivateHostSecrecy {
  readonly #isPrivate: (url: URL) => boolean
  readonly #patienceMs: number
  readonly #late = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #endsAt: number | undefined
  /** The private host that was contacted last, and the one that has sent media. */
  #met: string | undefined
  #proven: string | undefined

  constructor(isPrivate: (url: URL) => boolean, patienceMs: number) {
    this.#isPrivate = isPrivate
    this.#patienceMs = patienceMs
  }

  /** Call this before every hop. What one host has sent says nothing about another host or port. */
  meet(url: URL): void {
    if (!this.#isPrivate(url)) return
    this.#met = url.origin
    if (!this.isKept || this.#timer !== undefined) return
    this.#endsAt = performance.now() + this.#patienceMs
    const tooLate = () => this.#late.abort(new NetworkFaultError('no media came in time'))
    this.#timer = setTimeout(tooLate, this.#patienceMs)
  }

  /** While this is true, no details of a failure may be told. */
  get isKept(): boolean {
    return this.#met !== this.#proven
  }

  /** Aborted if the beginning of the file takes too long. */
  get signal(): AbortSignal {
    return this.#late.signal
  }

  /** Holds back the first bytes until they turn out to be media; then calls `onProven` and passes everything on. */
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

  /** Waits until the time after which every other failure is told. */
  async keepWaiting(signal: AbortSignal): Promise<void> {
    const leftMs = (this.#endsAt ?? 0) - performance.now()
    if (leftMs > 0) await pause(leftMs, undefined, { signal }).catch(() => undefined)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #prove(head: Buffer): Promise<void> {
    if (!(await isMedia(head))) throw new NetworkFaultError('what came is not media')
    this.#proven = this.#met
    this.close()
  }
}
