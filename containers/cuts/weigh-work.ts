import { countSeams, seamsOf, type Cutting } from './cutting.ts'
import { seamWindows } from './seam-windows.ts'

/** What a decoded picture costs, in encoded ones. */
const decodedCost = 0.15
/** What a seam costs beside its pictures, in encoded pictures: it is decoded again to be proven. */
const seamCost = 1
/** Of the work of an encode: beyond this the difference is not worth it. */
const mostShare = 0.9

/** Compares the work of cutting with that of encoding everything. Undefined if cutting is less. */
export function tooMuchWork(cutting: Omit<Cutting, 'endSeconds'>): string | undefined {
  const { parts, pieces } = cutting
  const kept = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const encoded = seamsOf(pieces).reduce((sum, { places }) => sum + places.to - places.from, 0)
  if (pieces.every(({ kind }) => kind === 'seam')) {
    return 'no decoder could begin with a picture between the cuts'
  }
  const decoded = seamWindows(cutting).reduce((sum, { from, to }) => sum + to - from, 0)
  // The proof decodes all of it twice more: from the source and from the result.
  const work =
    encoded * (1 + decodedCost) + 3 * decoded * decodedCost + countSeams(pieces) * seamCost
  if (work <= kept * (1 + decodedCost) * mostShare) return undefined
  return `${encoded} of ${kept} pictures lie at the seams`
}
