import { describe, expect, it } from 'vitest'
import { findPieces } from '../../../../containers/cuts/plan/find-runs.ts'
import type { Piece } from '../../../../containers/cuts/cut-model.ts'
import type { Entry } from '../../../../containers/cuts/h264/avc-entries.ts'
import type { HiddenFrames } from '../../../../containers/cuts/vp9/hidden-frames.ts'
import { keptParts, shownPictures } from '../../../../containers/cuts/plan/kept-pictures.ts'
import type { Packing } from '../../../../containers/ffmpeg/measure-packing.ts'
import { groupsOf } from '../../../support/containers/films/a-packing.ts'

/** The pieces as `run 0-4`, or `seam 4-6`, in places in the order of showing. */
async function piecesOf(
  packing: Packing,
  kept: { from: number; to: number }[],
  entryOf: (packet: number) => Entry = () => 'closed',
  followHidden?: () => Pick<HiddenFrames, 'follow'>,
) {
  const shown = shownPictures(packing)
  const parts = keptParts(packing, shown, kept, {
    frameRate: { frames: 25, seconds: 1 },
    clipStarts: [0],
  })
  const pieces = await findPieces(
    { packing, shown, entryOf: async (packet) => entryOf(packet), followHidden },
    parts,
  )
  return pieces.map(({ kind, places }: Piece) => `${kind} ${places.from}-${places.to}`)
}

const opening: Entry = { before: 1, numbers: undefined }

/** I P B B, three times. */
const reordered = groupsOf([0, 3, 1, 2], 3)

describe('findPieces', () => {
  it('copies everything up to a cut at a key picture', async () => {
    expect(await piecesOf(reordered, [{ from: 0, to: 4 }])).toEqual(['run 0-4'])
  })

  it('encodes only what is shown before a picture that has to be left out', async () => {
    // The picture at 3 is stored before those at 1 and 2.
    expect(await piecesOf(reordered, [{ from: 0, to: 7 }])).toEqual(['run 0-5', 'seam 5-7'])
  })

  it('encodes what comes before the first key picture of a part', async () => {
    const kept = [
      { from: 0, to: 1 },
      { from: 6, to: 12 },
    ]
    expect(await piecesOf(reordered, kept)).toEqual(['run 0-1', 'seam 6-8', 'run 8-12'])
  })

  it('encodes a part without a key picture', async () => {
    expect(await piecesOf(reordered, [{ from: 1, to: 3 }])).toEqual(['seam 1-3'])
  })

  it('begins only where a decoder can begin', async () => {
    const entryOf = (packet: number): Entry => (packet === 4 ? 'never' : 'closed')
    const pieces = await piecesOf(reordered, [{ from: 2, to: 12 }], entryOf)
    expect(pieces).toEqual(['seam 2-8', 'run 8-12'])
  })

  it('encodes a picture before an open group that follows copied ones', async () => {
    const open = groupsOf([2, 0, 1, 3], 3)
    const kept = [
      { from: 0, to: 3 },
      { from: 6, to: 12 },
    ]
    const entryOf = (packet: number): Entry => (packet === 0 ? 'closed' : opening)
    const pieces = await piecesOf(open, kept, entryOf)
    expect(pieces).toEqual(['seam 0-3', 'run 6-12'])
    const inOrder = groupsOf([0, 1, 2, 3], 3)
    const around = await piecesOf(
      inOrder,
      [
        { from: 0, to: 3 },
        { from: 4, to: 12 },
      ],
      entryOf,
    )
    expect(around).toEqual(['run 0-2', 'seam 2-3', 'run 4-12'])
  })

  it('leaves pictures that need what came before an open group to the seam', async () => {
    // B B I P: the first two are stored after the key picture, and shown before it.
    const open = groupsOf([2, 0, 1, 3], 3)
    const pieces = await piecesOf(open, [{ from: 3, to: 12 }], () => opening)
    expect(pieces).toEqual(['seam 3-6', 'run 6-12'])
  })

  const opensBehind = (before: number): Entry => ({
    before,
    numbers: numbersOf(before),
  })
  /** Ten pictures in each group, in the order of showing. */
  const inTens = groupsOf(
    Array.from({ length: 10 }, (_, i) => i),
    12,
  )

  it('encodes pictures of several parts before an open group if the one before it is short', async () => {
    const kept = [
      { from: 0, to: 20 },
      { from: 38, to: 40 },
      { from: 58, to: 100 },
    ]
    const entryOf = (packet: number): Entry =>
      packet === 60 ? opensBehind(8) : closedAt(0, packet)
    expect(await piecesOf(inTens, kept, entryOf)).toEqual([
      ...['run 0-16', 'seam 16-20', 'seam 38-40', 'seam 58-60', 'run 60-100'],
    ])
  })

  it('begins behind a later key picture if the first one takes more copied ones than it gives', async () => {
    const kept = [
      { from: 0, to: 60 },
      { from: 79, to: 110 },
    ]
    const entryOf = (packet: number): Entry =>
      packet === 80 ? opensBehind(40) : closedAt(0, 90, packet)
    expect(await piecesOf(inTens, kept, entryOf)).toEqual(['run 0-60', 'seam 79-90', 'run 90-110'])
  })

  it('ends a run where all hidden frames were shown, and begins another behind one that is lost', async () => {
    const follow = (packet: number): 'shown' | 'hidden' | 'lost' => {
      if (packet > 34 && packet < 40) return 'lost'
      return packet > 31 && packet < 40 ? 'hidden' : 'shown'
    }
    const followHidden = () => ({ follow: async (packet: number) => follow(packet) })
    const pieces = await piecesOf(inTens, [{ from: 5, to: 60 }], undefined, followHidden)
    expect(pieces).toEqual(['seam 5-10', 'run 10-32', 'seam 32-40', 'run 40-60'])
  })
})

function closedAt(...packets: number[]): Entry {
  return packets.slice(0, -1).includes(packets.at(-1) ?? -1) ? 'closed' : 'never'
}

function numbersOf(count: number) {
  return { count, ages: [1], poc: 2 * count, earliest: 2 * count, leading: new Map() }
}
