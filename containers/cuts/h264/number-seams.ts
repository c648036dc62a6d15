import { ordersBefore } from './avc-entries.ts'
import type { EntryNumbers, Piece, Run } from '../cut-model.ts'
import type { PictureNumbers } from './avc-slice.ts'
import type { Shown } from '../plan/kept-pictures.ts'

/** Seams without copied pictures between them, which are encoded in one go, and the run that follows. */
export type SeamGroup = { readonly pictures: number; readonly next: Run | undefined }

export function seamGroups(pieces: readonly Piece[]): SeamGroup[] {
  const groups: SeamGroup[] = []
  let pictures = 0
  for (const piece of pieces) {
    if (piece.kind === 'seam') pictures += piece.places.to - piece.places.from
    else if (pictures > 0) {
      groups.push({ pictures, next: piece })
      pictures = 0
    }
  }
  return pictures > 0 ? [...groups, { pictures, next: undefined }] : groups
}

/** The numbers of all encoded pictures, in the order of showing. */
export function numberSeams(pieces: readonly Piece[], shown: Shown): PictureNumbers[] {
  const nextIdrPicId = countIdrPicIds()
  return seamGroups(pieces).flatMap(({ pictures, next }) => {
    const leads = next?.leads ?? 0
    const numbers = next && next.entry !== 'closed' ? next.entry.numbers : undefined
    const counted = numbers?.count ?? 0
    const others = Array.from({ length: pictures - leads - counted }, (_, i) => ({
      ...{ idrPicId: i === 0 ? nextIdrPicId() : undefined, nalRefIdc: 2 },
      ...{ frameNum: i, poc: 2 * i, refPicMarking: [] },
    }))
    if (!next || !numbers) return others
    return [
      ...others,
      ...numbersBefore(numbers, nextIdrPicId),
      ...leadsBefore(next, numbers, shown),
    ]
  })
}

/** Two IDR pictures in a row must not have the same idr_pic_id (7.4.3); the source hardly uses these. */
export function countIdrPicIds(): () => number {
  let count = 0
  return () => 65_000 + (count++ % 2)
}

/** Numbers that lead up to an open group: behind them a decoder keeps the same references as in the source. */
export function numbersBefore(
  { count, ages, earliest }: EntryNumbers,
  nextIdrPicId: () => number,
): PictureNumbers[] {
  return ordersBefore(count, earliest).map((poc, i) => {
    const isFormerKept = i === 0 || ages.includes(count - i + 1)
    return {
      ...{ idrPicId: i === 0 ? nextIdrPicId() : undefined, nalRefIdc: 2 },
      // The former picture was only needed for this one.
      ...{ frameNum: i, poc, refPicMarking: isFormerKept ? [] : [[1, 0]] },
    }
  })
}

function leadsBefore({ places, leads }: Run, numbers: EntryNumbers, shown: Shown) {
  return Array.from({ length: leads }, (_, i): PictureNumbers => {
    const lead = numbers.leads.get(shown.packets[places.from - leads + i] ?? 0)
    if (!lead) throw new Error('A picture before an open group has no numbers')
    return { ...lead, idrPicId: undefined }
  })
}
