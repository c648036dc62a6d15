import { open } from 'node:fs/promises'
import { boxHead } from '../../cuts/mp4/boxes.ts'
import { sniffBytes, sniffFormat } from '../../../worker/contract/video/sniff-format.ts'

/** How much of a file a plan reads. */
export type HeadLimits = {
  /** The most bytes that one request asks for. */
  readonly pieceBytes: number
  /** A file up to this size is read whole. */
  readonly wholeBytes: number
}

/** A range of a file that has arrived. */
export type Arrived = { readonly from: number; readonly to: number }

/** Thrown when a plan would have to fetch too much to learn about a file. */
export class TooMuchToReadError extends Error {
  override name = 'TooMuchToReadError'
}

const boxHeadBytes = 16
const mostBoxes = 10_000

/**
 * Where the next bytes lie that describe a large file: the tables of MP4 and MOV may stand at its end. Undefined if enough of
 * it is here: Matroska, WebM and AVI describe their content at the beginning.
 */
export async function nextBytes(
  file: string,
  totalBytes: number,
  arrived: readonly Arrived[],
): Promise<number | undefined | 'all'> {
  await using handle = await open(file)
  const head = Buffer.alloc(sniffBytes)
  const { bytesRead } = await handle.read(head, 0, sniffBytes, 0)
  const sniffed = await sniffFormat(head.subarray(0, bytesRead))
  const format = sniffed.kind === 'video' ? sniffed.format : undefined
  if (format === 'webm' || format === 'mkv' || format === 'avi') return undefined
  // The first bytes show whether a file is a video.
  if (sniffed.kind === 'unknown') return undefined
  if (format !== 'mp4' && format !== 'mov') return 'all'
  let at = 0
  for (let boxes = 0; at + boxHeadBytes <= totalBytes && boxes < mostBoxes; boxes++) {
    if (firstMissing(arrived, at, at + boxHeadBytes) !== undefined) return at
    await handle.read(head, 0, boxHeadBytes, at)
    const { type, bytes: told, headBytes } = boxHead(head)
    const bytes = told < headBytes ? Infinity : told
    // The fragments of a fragmented file have tables of their own.
    if (type === 'moof') return 'all'
    if (type === 'moov') return firstMissing(arrived, at, Math.min(totalBytes, at + bytes))
    at += bytes
  }
  return undefined
}

function firstMissing(arrived: readonly Arrived[], from: number, to: number): number | undefined {
  let at = from
  for (const piece of arrived.toSorted((a, b) => a.from - b.from)) {
    if (piece.from <= at && piece.to > at) at = piece.to
  }
  return at >= to ? undefined : at
}
