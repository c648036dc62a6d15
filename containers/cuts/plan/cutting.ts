import { fileInPieces, streamOf, type Stream } from '../../graph/filter-graph.ts'
import type { Cutting, Piece, Seam } from '../cut-model.ts'
import { totalLength } from '../../numbers/spans.ts'

/** Names inside the job folder. */
export const cutFiles = {
  model: 'cut-model.mp4',
  windows: 'cut-windows.head',
  /** The output of the encoder, if it is changed before it becomes `seams`. */
  encoded: 'cut-encoded.mp4',
  seams: 'cut-seams.mp4',
  head: 'cut.head',
  resultModel: 'cut-result-model.mp4',
} as const

/** The pictures of the result: a head that this service writes, and the packets where they lie. */
export function cutPicture({
  source,
  pieces,
}: Pick<Cutting, 'source' | 'pieces'>): Stream<'video'> {
  const packets = packetFiles({ source, pieces })
  return streamOf(fileInPieces([cutFiles.head, ...packets]), 'video', 0)
}

/** The files that hold the packets of the result: the sources, and behind them the seams. */
export function packetFiles({ source, pieces }: Pick<Cutting, 'source' | 'pieces'>): string[] {
  const seams = seamsOf(pieces).length > 0 ? [cutFiles.seams] : []
  return [...source.files.map(({ path }) => path), ...seams]
}

/** Whether the result leaves out pictures of the sources. */
export function removesPictures({ source, parts }: Pick<Cutting, 'source' | 'parts'>): boolean {
  const kept = totalLength(parts)
  return kept < source.shown.packets.length
}

export function seamsOf(pieces: readonly Piece[]): Seam[] {
  return pieces.filter((piece) => piece.kind === 'seam')
}

/** How many times encoded pictures stand between copied ones; those of two cuts in a row count once. */
export function countSeams(pieces: readonly Piece[]): number {
  return pieces.filter(({ kind }, i) => kind === 'seam' && pieces[i - 1]?.kind !== 'seam').length
}
