import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** The part of a file that arrived before this request, in an interrupted download or one in pieces. */
export type Beginning = {
  /** How many bytes of the file are on the disk. */
  readonly bytes: number
  /** Identifies the version of the file; the server continues only if it still has this version. */
  readonly validator: string
}

/** The range that a request asks for. */
export type AskedRange = {
  readonly kept: Beginning | undefined
  /** The most bytes to ask for; if absent, everything that is missing. */
  readonly pieceBytes: number | undefined
}

/** Headers that ask for the next piece of the file, or for all of it if it has changed. */
export function askForMore({ kept, pieceBytes }: AskedRange): Record<string, string> {
  const from = kept?.bytes ?? 0
  if (from === 0 && pieceBytes === undefined) return {}
  const last = pieceBytes === undefined ? '' : from + pieceBytes - 1
  return { Range: `bytes=${from}-${last}`, ...(from > 0 && { 'If-Range': kept?.validator ?? '' }) }
}

/** RFC 9110, 13.1.5: a weak tag, or a date that two versions may share, does not identify a version. */
export function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, date = '', 'last-modified': modified } = headers
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : undefined
  const isOld = Date.parse(date) - Date.parse(modified ?? '') >= 1_000
  return isOld ? modified : undefined
}

export type FilePiece = {
  /** The position of its first byte in the file. */
  readonly from: number
  /** The size of the whole file, if the server tells it. */
  readonly totalBytes: number | undefined
}

/** Which piece of the file a 200 or 206 answer holds; undefined if it is not the requested one. */
export function pieceOf(
  response: IncomingMessage,
  { kept, pieceBytes = Infinity }: AskedRange,
): FilePiece | undefined {
  const { headers, statusCode } = response
  if (statusCode === 200) return { from: 0, totalBytes: count(headers['content-length']) }
  const [, first, last, total] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(headers['content-range'] ?? '') ?? []
  const from = kept?.bytes ?? 0
  const end = Math.min(Number(total), from + pieceBytes)
  const isAsked = Number(first) === from && Number(last) === end - 1
  const isSame = headers.etag === undefined || !isTag(kept) || headers.etag === kept?.validator
  return isAsked && isSame ? { from, totalBytes: count(total) } : undefined
}

function isTag(beginning: Beginning | undefined): boolean {
  return beginning?.validator.startsWith('"') ?? false
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
