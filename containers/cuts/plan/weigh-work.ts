import type { CutCodec, Cutting } from '../cut-model.ts'
import { seamsOf } from './cutting.ts'
import type { Entries } from './entry-kinds.ts'
import { countPackets, lookedAt, windowsFor } from './windows.ts'

/*
 * What is done with one picture, where 1 is to encode it for a whole film: processor time as measured (docs/decisions/043),
 * slightly above the cost of the most expensive footage measured.
 */
const decodedCost = 0.1
const comparedCost = 0.12
const seamPictureCost: Readonly<Record<CutCodec, number>> = { h264: 0.65, hevc: 1.7, vp9: 0.45 }
/** The most work, as a share of an encode. Where most is encoded anyway, the seams, which take many bytes, are not worth it. */
const mostShare = 0.75

type Weighed = Pick<Cutting, 'source' | 'parts' | 'pieces' | 'windows'> & Pick<Entries, 'entryOf'>

/** Compares the work of cutting with that of encoding everything. Undefined if cutting is less. */
export async function tooMuchWork(cutting: Weighed): Promise<string | undefined> {
  const { parts, pieces, source } = cutting
  const kept = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const encoded = seamsOf(pieces).reduce((sum, { places }) => sum + places.to - places.from, 0)
  if (pieces.every(({ kind }) => kind === 'seam')) {
    return 'no decoder could begin with a picture between the cuts'
  }
  const compared = encoded + 2 * lookedAt * pieces.length
  const work =
    encoded * seamPictureCost[source.codec] +
    (await decodedPictures(cutting)) * decodedCost +
    compared * comparedCost
  // An encode decodes what is cut out, too.
  const encode = kept + source.shown.packets.length * decodedCost
  if (work <= encode * mostShare) return undefined
  return `${encoded} of ${kept} pictures lie at the seams`
}

/** The groups around the seams are decoded once to encode them, and twice for the proof: from the source and the result. */
async function decodedPictures(cutting: Weighed): Promise<number> {
  const before = cutting.parts
    .slice(0, -1)
    .filter(({ made }) => !made)
    .map(({ from, to }) => ({ from: Math.max(from, to - lookedAt), to: Math.max(from + 1, to) }))
  return 3 * countPackets(cutting.windows) + 2 * countPackets(await windowsFor(cutting, before))
}
