import type { AvcParameterSets } from './avc-parameter-sets.ts'
import type { SliceHeader } from './avc-slice.ts'

const mostPackets = 400

/**
 * Finds which of the pictures in some packets a decoder keeps as references when the next picture begins: how many
 * references before it each was stored, in ascending order. Undefined if some are kept in a way that seams cannot imitate.
 */
export async function referencesBefore(
  { sps }: AvcParameterSets,
  packets: { readonly from: number; readonly to: number },
  next: SliceHeader,
  sliceAt: (packet: number) => Promise<SliceHeader | undefined>,
): Promise<number[] | undefined> {
  // After this many references, none of those before is left.
  const enough = 6 * sps.maxNumRefFrames + 8
  const earlier: SliceHeader[] = []
  const first = Math.max(packets.from, packets.to - mostPackets)
  for (let i = packets.to - 1; i >= first && earlier.length < enough; i--) {
    const slice = await sliceAt(i)
    if (!slice) return undefined
    if (slice.nalRefIdc > 0) earlier.unshift(slice)
    if (slice.isIdr) break
  }
  const maxFrameNum = 2 ** sps.frameNumBits
  const isCounted = [...earlier, next].every(
    ({ frameNum }, i, all) =>
      i === 0 || frameNum === ((all[i - 1]?.frameNum ?? 0) + 1) % maxFrameNum,
  )
  return earlier.length > 0 && isCounted ? keptOf(earlier, sps.maxNumRefFrames) : undefined
}

/** memory_management_control_operation: a short-term reference leaves. */
const drop = 1
/** There are no long-term references. */
const noneForLong = [4, 0]

function keptOf(pictures: readonly SliceHeader[], most: number): number[] | undefined {
  let kept: number[] = []
  for (const [i, { refPicMarking, isLongTerm }] of pictures.entries()) {
    const drops = refPicMarking.filter(([operation]) => operation === drop)
    const others = refPicMarking.filter(
      (one) => one[0] !== drop && String(one) !== String(noneForLong),
    )
    if (isLongTerm || others.length > 0) return undefined
    const gone = drops.map(([, difference = 0]) => i - difference - 1)
    kept = kept.filter((one) => !gone.includes(one))
    if (refPicMarking.length === 0 && kept.length >= Math.max(1, most)) kept.shift()
    kept.push(i)
    if (kept.length > Math.max(1, most)) return undefined
  }
  return kept.map((one) => pictures.length - one).toReversed()
}
