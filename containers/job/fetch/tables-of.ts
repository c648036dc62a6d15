import { open } from 'node:fs/promises'
import { boxHead } from '../../cuts/mp4/boxes.ts'
import { sniffBytes, sniffFormat } from '../../../worker/contract/video/sniff-format.ts'

/** What a plan reads of a file. */
export type HeadLimits = {
  /** The most that one request asks for. */
  readonly pieceBytes: number
  /** A file that is no larger than this is read whole. */
  readonly wholeBytes: number
}

/** Bytes of a file that have arrived. */
export type Arrived = { readonly from: number; readonly to: number }

/** A plan must not fetch as much as it would take to know. */
export class TooMuchToReadError extends Error {
  override name = 'TooMuchToReadError'
}

const boxHeadBytes = 16
const mostBoxes = 10_000

/**
 * Where the next bytes lie that tell of a large file: the tables of MP4 and MOV may stand at its end. Undefined if
 * enough of it is here: Matroska, WebM and AVI say at their beginning what they hold.
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
  // A file that is not a video shows it in its first bytes.
  if (sniffed.kind === 'unknown') return undefined
  if (format !== 'mp4' && format !== 'mov') return 'all'
  let at = 0
  for (let boxes = 0; at + boxHeadBytes <= totalBytes && boxes < mostBoxes; boxes++) {
    if (firstMissing(arrived, at, at + boxHeadBytes) !== undefined) return at
    await handle.read(head, 0, boxHeadBytes, at)
    const { type, bytes: told, headBytes } = boxHead(head)
    const bytes = told < headBytes ? Infinity : told
    // The pieces of a fragmented file have tables of their own.
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
