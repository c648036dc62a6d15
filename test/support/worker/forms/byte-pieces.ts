import type { ByteSource } from '../../../../worker/upload/byte-window.ts'

/** Pseudo-random numbers that are the same in every run (mulberry32). */
export function seededNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

export function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/**
 * Bytes that arrive as the runtime delivers them: at least as many as requested, sometimes more; the buffer of the view
 * is detached and comes back as another object.
 */
export function arriving(
  bytes: Uint8Array,
  surplus: (below: number) => number = () => 0,
): ByteSource {
  let at = 0
  return {
    async readAtLeast(minBytes, view) {
      const { byteOffset, byteLength } = view
      const moved = view.buffer.transfer()
      const room = byteLength - minBytes
      const count = Math.min(minBytes + surplus(room + 1), bytes.length - at)
      new Uint8Array(moved, byteOffset, count).set(bytes.subarray(at, at + count))
      at += count
      return { done: count === 0, value: new Uint8Array(moved, byteOffset, count) }
    },
  }
}
