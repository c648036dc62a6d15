import type { AvcSets } from './avc-sets.ts'
import type { AvcSlice } from './avc-slice.ts'

const mostPackets = 400

/**
 * Finds which of the pictures in some packets a decoder keeps as references when the next picture begins: how many
 * references before it each was stored, in ascending order. Undefined if some are kept in a way that seams cannot imitate.
 */
export async function referencesBefore(
  { sequence }: AvcSets,
  packets: { readonly from: number; readonly to: number },
  entry: AvcSlice,
  sliceAt: (packet: number) => Promise<AvcSlice | undefined>,
): Promise<number[] | undefined> {
  // After this many references, none of those before is left.
  const enough = 6 * sequence.references + 8
  const earlier: AvcSlice[] = []
  const first = Math.max(packets.from, packets.to - mostPackets)
  for (let i = packets.to - 1; i >= first && earlier.length < enough; i--) {
    const slice = await sliceAt(i)
    if (!slice) return undefined
    if (slice.importance > 0) earlier.unshift(slice)
    if (slice.isInstant) break
  }
  const round = 2 ** sequence.frameNumberBits
  const isCounted = [...earlier, entry].every(
    ({ frameNumber }, i, all) =>
      i === 0 || frameNumber === ((all[i - 1]?.frameNumber ?? 0) + 1) % round,
  )
  return earlier.length > 0 && isCounted ? keptOf(earlier, sequence.references) : undefined
}

const drop = 1
/** Says that there are no references that are kept for long. */
const noneForLong = [4, 0]

function keptOf(pictures: readonly AvcSlice[], most: number): number[] | undefined {
  let kept: number[] = []
  for (const [i, { marking, isLongTerm }] of pictures.entries()) {
    const drops = marking.filter(([command]) => command === drop)
    const others = marking.filter((one) => one[0] !== drop && String(one) !== String(noneForLong))
    if (isLongTerm || others.length > 0) return undefined
    const gone = drops.map(([, difference = 0]) => i - difference - 1)
    kept = kept.filter((one) => !gone.includes(one))
    if (marking.length === 0 && kept.length >= Math.max(1, most)) kept.shift()
    kept.push(i)
    if (kept.length > Math.max(1, most)) return undefined
  }
  return kept.map((one) => pictures.length - one).toReversed()
}
