import type { Claiming } from './claim-counts.ts'

const codes = { end: 0xb9, pack: 0xba, privateStream: 0xbd } as const
const headBytes = 64

/** Visits the head of every packet. A stream is new with its number, and a private one with the number inside it. */
export async function countMpgClaims({ bytes, counts, signal }: Claiming): Promise<void> {
  const streams = new Set<number>()
  for (let at = 0; at + 6 <= bytes.size;) {
    signal.throwIfAborted()
    const head = bytes.atHand(at, headBytes) ?? (await bytes.at(at, headBytes))
    const next = head.indexOf('\0\0\x01', 0, 'latin1')
    if (next !== 0 || head.length < 6) {
      at += next > 0 ? next : Math.max(1, head.length - 2)
      continue
    }
    const code = head[3] ?? 0
    if (code < codes.end) at += 4
    else if (code === codes.end) at += 4
    else if (code === codes.pack) at += packBytes(head)
    else {
      const stream = code === codes.privateStream ? 256 + numberInside(head) : code
      if (!streams.has(stream)) {
        streams.add(stream)
        counts.add('streams')
      }
      at += 6 + head.readUInt16BE(4)
    }
  }
}

/** MPEG-2 says how many bytes of stuffing follow; MPEG-1 has none. */
function packBytes(head: Buffer): number {
  const isMpeg2 = ((head[4] ?? 0) & 0xc0) === 0x40
  return isMpeg2 ? 14 + ((head[13] ?? 0) & 7) : 12
}

function numberInside(head: Buffer): number {
  return head[9 + (head[8] ?? 0)] ?? 0
}
