import { AppError } from '../contract/errors.ts'
import { uploadLimits } from '../contract/limits.ts'
import { firstBytes, growth } from './byte-window.ts'
import { lookaheadBytes } from './delimiter-line.ts'
import { uploadShape } from './upload-shape.ts'

/** Who wants how much. One that has gone without a word is forgotten at `until`. */
export type Want = { readonly accountId: string; readonly bytes: number; until: number }

export type Hold = {
  /** To be called while it is used: what nobody has kept for minutes has lost its request. */
  keep: (now: number) => void
  release: () => void
}

const holdMs = 300_000
/** A boundary has at most 70 characters; the rest of a delimiter fits beside it. */
const bufferBytes = uploadShape.stretchBytes + 128 + lookaheadBytes

/** What the buffers of an upload hold at most. A body without a length may be of any. */
export function memoryOf(bodyBytes: number | undefined): number {
  for (let size = firstBytes; size < bufferBytes; size *= growth) {
    // What is handed out leaves with its buffer, and the rest goes on in another one as large.
    if (bodyBytes !== undefined && bodyBytes + 128 <= size) return 2 * size
  }
  const stretches = Math.ceil((bodyBytes ?? Infinity) / uploadShape.stretchBytes)
  return Math.min(uploadShape.loans + 1, stretches + 1) * bufferBytes
}

const largest = memoryOf(undefined)

/**
 * The memory that all forms arriving in one isolate share. Who waits is served in turn, and the last of it, enough for
 * one upload, is kept for accounts that hold less than that: no account can shut another out.
 */
export class UploadMemory {
  readonly #totalBytes: number
  readonly #held = new Set<Want>()
  readonly #waiting = new Set<Want>()

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes
  }

  /** Undefined when it has to wait. Asked again with the same want, it keeps its place. */
  take(want: Want, now: number): Hold | undefined {
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

  leave(want: Want): void {
    this.#waiting.delete(want)
  }

  #isLarge({ accountId, bytes }: Want): boolean {
    const own = [...this.#held].filter((held) => held.accountId === accountId)
    return sum(own) + bytes > largest
  }

  #forgetGone(now: number): void {
    for (const wants of [this.#held, this.#waiting]) {
      for (const want of wants) if (want.until < now) wants.delete(want)
    }
  }
}

function sum(wants: Iterable<Want>): number {
  let bytes = 0
  for (const want of wants) bytes += want.bytes
  return bytes
}

/** Of this isolate: requests that arrive at once in one share its memory. */
export const uploadMemory = new UploadMemory(uploadLimits.memoryBytes)

const pollMs = 100
const retryAfterSeconds = 5

/** Waits for a moment, nothing of the body being read; then the client is asked to come again. */
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
  const message = `Too many forms arrive at this moment. Try again in ${retryAfterSeconds} s, or send the file in parts: POST /v1/uploads.`
  throw new AppError('ServiceUnavailable', message, { retryAfterSeconds })
}
