import type { Claiming } from './claim-counts.ts'
import { countId3Claims } from './count-id3-claims.ts'

const chunkHeadBytes = 8
const formBytes = 12
/** Programs that cannot go back to fill in the length leave one of these; the sound then extends to the end of the file. */
const openEnds = [0, 0xffffffff]
/** The fields of a broadcast chunk, before its text. */
const broadcastTags = 7

/** Visits the head of every chunk, and looks into those that describe the sound. */
export async function countWavClaims(file: Claiming, from: number): Promise<void> {
  const { bytes, counts, signal } = file
  for (let at = from + formBytes; at < bytes.size;) {
    signal.throwIfAborted()
    const head = bytes.atHand(at, formBytes) ?? (await bytes.at(at, formBytes))
    if (head.length < chunkHeadBytes) return
    const type = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    const isInfo = type === 'LIST' && head.toString('latin1', 8, 12) === 'INFO'
    counts.add('headerParts')
    if (type === 'data' && openEnds.includes(length)) return
    const to = at + chunkHeadBytes + length
    if (isInfo || type === 'bext') counts.add('tagBytes', length)
    if (isInfo) await countInfo(file, at + formBytes, Math.min(to, bytes.size))
    else if (type === 'bext') counts.add('tags', broadcastTags)
    else if (/^id3 $/i.test(type)) {
      await countId3Claims({ ...file, bytes: bytes.beside() }, at + chunkHeadBytes)
    }
    // Chunks begin at even places.
    at = to + ((to - from) % 2)
  }
}

async function countInfo(
  { bytes, counts, signal }: Claiming,
  from: number,
  to: number,
): Promise<void> {
  const inside = bytes.beside()
  // Some programs forget to fill up an odd tag, so ffmpeg also tries one byte before.
  for (let at = from, isRetry = false; at + chunkHeadBytes <= to;) {
    signal.throwIfAborted()
    const head = inside.atHand(at, chunkHeadBytes) ?? (await inside.at(at, chunkHeadBytes))
    if (head.length < chunkHeadBytes) return
    const next = at + chunkHeadBytes + head.readUInt32LE(4)
    if (next > to && isRetry) return
    isRetry = next > to
    if (isRetry) at -= 1
    else {
      counts.add('tags')
      at = next + ((next - from) % 2)
    }
  }
}
