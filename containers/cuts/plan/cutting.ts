import type { Packing } from '../../ffmpeg/measure-packing.ts'
import { fileInPieces, streamOf, type Stream } from '../../graph/filter-graph.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { AvcSets } from '../h264/avc-sets.ts'
import type { CutCodec } from './entry-kinds.ts'
import type { Model } from '../mp4/film-model.ts'
import type { Piece } from './find-runs.ts'
import type { KeptPart, Shown } from './kept-pictures.ts'

/**
 * How one file, or several that are joined, are cut as they are stored: which packets are copied, and which pictures are
 * encoded at the seams.
 */
export type Cutting = {
  readonly source: CutSource
  readonly parts: readonly KeptPart[]
  /** In the order of the result. */
  readonly pieces: readonly Piece[]
  /** When the last picture of the result ends. */
  readonly endSeconds: number
}

export type CutSource = {
  /** In the order of the timeline. */
  readonly files: readonly [CutFile, ...CutFile[]]
  /** Those of the first file; where they matter here, they are those of all. */
  readonly facts: MediaFacts
  readonly codec: CutCodec
  /** The packets of all files, at their times on the joined timeline. */
  readonly packing: Packing
  readonly shown: Shown
  /** Ticks in a second of the result. */
  readonly timescale: number
  readonly model: Model
  /** Its parameter sets, if slices of H.264 can be written for them. */
  readonly sets: AvcSets | undefined
}

export type CutFile = {
  /** Name inside the job folder. */
  readonly path: string
  /** Its first packet among those of all files. */
  readonly from: number
}

/** Which of the files a packet lies in. */
export function fileOf({ files }: Pick<CutSource, 'files'>, packet: number): number {
  return files.findLastIndex(({ from }) => from <= packet)
}

/** Names inside the job folder. */
export const cutFiles = {
  model: 'cut-model.mp4',
  windows: 'cut-windows.head',
  /** What the encoder wrote, if it is changed before it becomes `seams`. */
  encoded: 'cut-encoded.mp4',
  seams: 'cut-seams.mp4',
  head: 'cut.head',
  resultModel: 'cut-result-model.mp4',
} as const

/** The picture of the result: a head of ours, and the packets where they lie. */
export function cutPicture({
  source,
  pieces,
}: Pick<Cutting, 'source' | 'pieces'>): Stream<'video'> {
  const packets = packetFiles({ source, pieces })
  return streamOf(fileInPieces([cutFiles.head, ...packets], 'mov'), 'video', 0)
}

/** The files that hold the packets of the result: the sources, and behind them the seams. */
export function packetFiles({ source, pieces }: Pick<Cutting, 'source' | 'pieces'>): string[] {
  const seams = seamsOf(pieces).length > 0 ? [cutFiles.seams] : []
  return [...source.files.map(({ path }) => path), ...seams]
}

/** Whether pictures of the sources are missing in the result. */
export function removesPictures({ source, parts }: Pick<Cutting, 'source' | 'parts'>): boolean {
  const kept = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  return kept < source.shown.packets.length
}

export type SeamPiece = Extract<Piece, { kind: 'seam' }>

export function seamsOf(pieces: readonly Piece[]): SeamPiece[] {
  return pieces.filter((piece) => piece.kind === 'seam')
}

/** How many times encoded pictures stand between copied ones; those of two cuts in a row count once. */
export function countSeams(pieces: readonly Piece[]): number {
  return pieces.filter(({ kind }, i) => kind === 'seam' && pieces[i - 1]?.kind !== 'seam').length
}
