import type { Claiming } from './claim-counts.ts'

const blocks = { seekTable: 3, tags: 4, cueSheet: 5, picture: 6 } as const
const headBytes = 4
const seekPointBytes = 18
/** Where a cue sheet says how many tracks follow. */
const tracksAt = 395

/** Visits the head of every block in front of the sound. ffmpeg reads those that describe it, each as a whole. */
export async function countFlacClaims(
  { bytes, counts, signal }: Claiming,
  from: number,
): Promise<void> {
  const mark = await bytes.at(from, 4)
  if (mark.toString('latin1') !== 'fLaC') return
  for (let at = from + 4, isLast = false; !isLast && at < bytes.size;) {
    signal.throwIfAborted()
    const head = bytes.atHand(at, headBytes) ?? (await bytes.at(at, headBytes))
    if (head.length < headBytes) return
    const type = (head[0] ?? 0) & 0x7f
    const length = head.readUIntBE(1, 3)
    isLast = ((head[0] ?? 0) & 0x80) !== 0
    counts.add('headerParts')
    await countBlock({ bytes, counts }, { type, from: at + headBytes, length })
    at += headBytes + length
  }
}

async function countBlock(
  { bytes, counts }: Pick<Claiming, 'bytes' | 'counts'>,
  { type, from, length }: { type: number; from: number; length: number },
): Promise<void> {
  switch (type) {
    case blocks.seekTable:
      counts.add('indexedPackets', Math.floor(length / seekPointBytes))
      return
    case blocks.picture:
      counts.add('streams')
      counts.add('tagBytes', length)
      return
    case blocks.cueSheet:
      counts.add('chapters', (await bytes.at(from + tracksAt, 1))[0] ?? 0)
      return
    case blocks.tags: {
      counts.add('tagBytes', length)
      const name = await bytes.at(from, 4)
      if (name.length < 4) return
      const number = await bytes.at(from + 4 + name.readUInt32LE(0), 4)
      if (number.length === 4) counts.add('tags', number.readUInt32LE(0))
    }
  }
}
