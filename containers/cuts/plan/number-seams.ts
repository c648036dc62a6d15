import type { Piece, Run, Seam, SeamGroup, ShownOrder } from '../cut-model.ts'
import { pocsBefore, type EntryNumbers } from '../h264/avc-entries.ts'
import type { PictureNumbers } from '../h264/avc-slice.ts'
import { totalLength } from '../../numbers/spans.ts'

/** Every run with the seams before it, and the seams at the end. */
export function seamGroups(pieces: readonly Piece[]): SeamGroup[] {
  const groups: SeamGroup[] = []
  let seams: Seam[] = []
  for (const piece of pieces) {
    if (piece.kind === 'seam') seams.push(piece)
    else {
      groups.push({ seams, run: piece })
      seams = []
    }
  }
  return seams.length > 0 ? [...groups, { seams, run: undefined }] : groups
}

/** The purposes of a group's encoded pictures: most stand in the seams, and others lead a decoder into the run. */
function countsOf({ seams, run }: SeamGroup) {
  const all = totalLength(seams.map(({ places }) => places))
  const leading = run?.leading ?? 0
  const numbers = run && run.entry !== 'closed' ? run.entry.numbers : undefined
  const counted = all > 0 ? (numbers?.count ?? 0) : 0
  return { all, leading, numbers, counted, plain: all - leading - counted }
}

export function countEncoded(groups: readonly SeamGroup[]): number {
  return groups.reduce((sum, group) => sum + countsOf(group).all, 0)
}

/** Which of all encoded pictures do not refer to others: those with which a decoder starts over, and leading ones. */
export function keyPictures(groups: readonly SeamGroup[]): number[] {
  let first = 0
  return groups.flatMap((group) => {
    const { all, leading, counted, plain } = countsOf(group)
    const begins = [plain > 0 ? [first] : [], counted > 0 ? [first + plain] : []].flat()
    first += all
    return [...begins, ...Array.from({ length: leading }, (_, i) => first - leading + i)]
  })
}

/** The numbers of all encoded pictures, in display order. */
export function numberSeams(groups: readonly SeamGroup[], shown: ShownOrder): PictureNumbers[] {
  const nextIdrPicId = countIdrPicIds()
  return groups.flatMap((group) => {
    const { plain, numbers, counted } = countsOf(group)
    const others = Array.from({ length: plain }, (_, i) => ({
      ...{ idrPicId: i === 0 ? nextIdrPicId() : undefined, nalRefIdc: 2 },
      ...{ frameNum: i, poc: 2 * i, refPicMarking: [] },
    }))
    if (!group.run || !numbers || counted === 0) return others
    return [
      ...others,
      ...numbersBefore(numbers, nextIdrPicId),
      ...leadingBefore(group.run, numbers, shown),
    ]
  })
}

/** Two IDR pictures in a row must not have the same idr_pic_id (7.4.3); the source hardly uses these. */
export function countIdrPicIds(): () => number {
  let count = 0
  return () => 65_000 + (count++ % 2)
}

/** Numbers that lead up to an open group: after them, a decoder keeps the same references as in the source. */
export function numbersBefore(
  { count, ages, earliest }: EntryNumbers,
  nextIdrPicId: () => number,
): PictureNumbers[] {
  return pocsBefore(count, earliest).map((poc, i) => {
    const isFormerKept = i === 0 || ages.includes(count - i + 1)
    return {
      ...{ idrPicId: i === 0 ? nextIdrPicId() : undefined, nalRefIdc: 2 },
      // The former picture was only needed for this one.
      ...{ frameNum: i, poc, refPicMarking: isFormerKept ? [] : [[1, 0]] },
    }
  })
}

function leadingBefore({ places, leading }: Run, numbers: EntryNumbers, shown: ShownOrder) {
  return Array.from({ length: leading }, (_, i): PictureNumbers => {
    const one = numbers.leading.get(shown.packets[places.from - leading + i] ?? 0)
    if (!one) throw new Error('A leading picture of an open group has no numbers')
    return { ...one, idrPicId: undefined }
  })
}
