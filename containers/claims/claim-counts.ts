import type { ByteWindow } from './byte-window.ts'
import { beyondLimit, sourceLimits, type HeldFile } from './source-limits.ts'

type Counted =
  | 'indexedPackets'
  | 'streams'
  | 'edits'
  | 'indexes'
  | 'chapters'
  | 'tags'
  | 'tagBytes'
  | 'headerParts'

const names: Record<Counted, string> = {
  indexedPackets: 'pieces of picture and sound in its index',
  streams: 'streams',
  edits: 'parts in an edit list',
  indexes: 'indexes',
  chapters: 'chapters',
  tags: 'tags',
  tagBytes: 'bytes of tags and cover pictures',
  headerParts: 'parts in its header',
}

/** A file that is being counted, and what it claims so far. */
export type Claiming = {
  readonly bytes: ByteWindow
  readonly counts: ClaimCounts
  readonly signal: AbortSignal
}

/** Adds up what a file claims to hold, and throws at the first count above its limit. */
export class ClaimCounts {
  readonly held: HeldFile
  readonly #counts = new Map<Counted, number>()

  constructor(held: HeldFile) {
    this.held = held
  }

  add(what: Counted, count = 1): void {
    const sum = (this.#counts.get(what) ?? 0) + count
    this.#counts.set(what, sum)
    this.check(what, sum)
  }

  /** Checks the count of one part by itself. */
  check(what: Counted, count: number): void {
    const most = sourceLimits[what]
    if (count > most) throw beyondLimit(this.held, names[what], most, count)
  }

  /** Checks the packets of one stream. */
  checkPackets(count: number): void {
    const most = sourceLimits.packets
    if (count <= most) return
    throw beyondLimit(this.held, 'pieces of picture or sound in one stream', most, count)
  }
}
