import { AppError } from '../contract/answers/errors.ts'
import { uploadLimits } from '../contract/limits.ts'
import { firstBytes, growth } from './byte-window.ts'
import { lookaheadBytes } from './delimiter-line.ts'
import { uploadShape } from './upload-shape.ts'

/** How much memory a request wants. A request that has gone without releasing it is forgotten at `until`. */
type WantedMemory = { readonly accountId: string; readonly bytes: number; until: number }

export type Hold = {
  /** Call this while the memory is used; a hold that was not kept for minutes is freed. */
  keep: (now: number) => void
  release: () => void
}

const holdMs = 300_000
/** A boundary has at most 70 characters, and the rest of a delimiter fits into 128 with it. */
const bufferBytes = uploadShape.stretchBytes + 128 + lookaheadBytes

/** The most memory that the buffers of an upload use. A body without a length may be of any size. */
export function memoryOf(bodyBytes: number | undefined): number {
  for (let size = firstBytes; size < bufferBytes; size *= growth) {
    // A stretch leaves with its buffer, and the rest continues in another one of the same size.
    if (bodyBytes !== undefined && bodyBytes + 128 <= size) return 2 * size
  }
  const stretches = Math.ceil((bodyBytes ?? Infinity) / uploadShape.stretchBytes)
  return Math.min(uploadShape.loans + 1, stretches + 1) * bufferBytes
}

const largest = memoryOf(undefined)

/**
 * The memory that all forms in one isolate share. Waiting requests are served in order. The last of it, enough for one
 * upload, is kept for accounts that use less than that, so that no account can shut out another.
 */
export class UploadMemory {
  readonly #totalBytes: number
  readonly #held = new Set<WantedMemory>()
  readonly #waiting = new Set<WantedMemory>()

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes
  }

  /** Undefined if the request has to wait. Asking again with the same want keeps its place. */
  take(want: WantedMemory, now: number): Hold | undefined {
    this.#forgetGone(now)
    this.#waiting.add(want)
    for (const earlier of this.#waiting) {
      if (earlier === want) break
      if (!this.#isLarge(earlier)) return undefined
    }
    const kept = this.#isLarge(want) ? largest : 0
    if (want.bytes + kept > this.#totalBytes - sum(this.#held)) return undefined
    this.#waiting.delete(want)
    want.until = now + holdMs
    this.#held.add(want)
    return {
      keep: (at) => (want.until = at + holdMs),
      release: () => void this.#held.delete(want),
    }
  }

  leave(want: WantedMemory): void {
    this.#waiting.delete(want)
  }

  #isLarge({ accountId, bytes }: WantedMemory): boolean {
    const own = [...this.#held].filter((held) => held.accountId === accountId)
    return sum(own) + bytes > largest
  }

  #forgetGone(now: number): void {
    for (const wants of [this.#held, this.#waiting]) {
      for (const want of wants) if (want.until < now) wants.delete(want)
    }
  }
}

function sum(wants: Iterable<WantedMemory>): number {
  let bytes = 0
  for (const want of wants) bytes += want.bytes
  return bytes
}

/** The memory of this isolate, which its concurrent requests share. */
export const uploadMemory = new UploadMemory(uploadLimits.memoryBytes)

const pollMs = 100
const retryAfterSeconds = 5

/** Waits a moment for memory, before any of the body is read; then asks the client to try again. */
export async function awaitMemory(
  memory: UploadMemory,
  asked: { accountId: string; bytes: number },
  patienceMs: number = uploadLimits.memoryPatienceMs,
): Promise<Hold> {
  const want = { ...asked, until: Date.now() + 2 * patienceMs }
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const hold = memory.take(want, Date.now())
    if (hold) return hold
    if (waitedMs >= patienceMs) break
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  memory.leave(want)
  const message = `Too many forms are arriving at this moment. Try again in ${retryAfterSeconds} s, or send the file in parts: POST /v1/uploads.`
  throw new AppError('ServiceUnavailable', message, { retryAfterSeconds })
}
