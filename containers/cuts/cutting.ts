import type { Packing } from '../ffmpeg/measure-packing.ts'
import { fileInPieces, streamOf, type Stream } from '../graph/filter-graph.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import type { CutCodec } from './entry-kinds.ts'
import type { Piece } from './find-runs.ts'
import type { KeptPart, Shown } from './kept-pictures.ts'

/** How a file is cut as it is stored: which packets are copied, and which pictures are encoded at the seams. */
export type Cutting = {
  readonly source: CutSource
  readonly parts: readonly KeptPart[]
  /** In the order of the result. */
  readonly pieces: readonly Piece[]
  /** When the last picture of the result ends. */
  readonly endSeconds: number
}

export type CutSource = {
  /** Name inside the job folder. */
  readonly path: string
  readonly facts: MediaFacts
  readonly codec: CutCodec
  readonly packing: Packing
  readonly shown: Shown
}

/** Names inside the job folder. */
export const cutFiles = {
  model: 'cut-model.mp4',
  windows: 'cut-windows.head',
  /** What the encoder wrote, if it is changed before it becomes `seams`. */
  encoded: 'cut-encoded.mp4',
  seams: 'cut-seams.mp4',
  /** What makes a decoder start again between two packets that do not follow each other. */
  pause: 'cut-pause.unit',
  head: 'cut.head',
  resultModel: 'cut-result-model.mp4',
} as const

/** The picture of the result: a head of ours, and the packets where they lie. */
export function cutPicture({
  source,
  pieces,
}: Pick<Cutting, 'source' | 'pieces'>): Stream<'video'> {
  const seams = seamsOf(pieces).length > 0 ? [cutFiles.seams] : []
  return streamOf(fileInPieces([cutFiles.head, source.path, ...seams], 'mov'), 'video', 0)
}

export type SeamPiece = Extract<Piece, { kind: 'seam' }>

export function seamsOf(pieces: readonly Piece[]): SeamPiece[] {
  return pieces.filter((piece) => piece.kind === 'seam')
}

/** How many times encoded pictures stand between copied ones; those of two cuts in a row count once. */
export function countSeams(pieces: readonly Piece[]): number {
  return pieces.filter(({ kind }, i) => kind === 'seam' && pieces[i - 1]?.kind !== 'seam').length
}

/** Ticks in a second: those of the source, or more where they are so coarse that rounding could move a picture. */
export function timescaleOf({ stream }: Packing): number {
  const [over = 0, under = 0] = (stream.get('time_base') ?? '').split('/').map(Number)
  if (over !== 1 || !(under > 0)) throw new Error('The time base of a cut is not one over a number')
  let timescale = under
  while (timescale < leastTimescale) timescale *= 2
  return timescale
}

const leastTimescale = 10_000
