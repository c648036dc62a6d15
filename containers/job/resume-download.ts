import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** What a broken download has left behind. */
export type Beginning = {
  /** Bytes of the file that are on our disk. */
  readonly bytes: number
  /** Names what they are the beginning of: the server goes on only while it has the same. */
  readonly validator: string
}

/** Asks for the rest of it, or for all of something that has changed meanwhile. */
export function askForRest(beginning: Beginning | undefined): Record<string, string> {
  if (!beginning || beginning.bytes === 0) return {}
  return { Range: `bytes=${beginning.bytes}-`, 'If-Range': beginning.validator }
}

/** RFC 9110, 13.1.5: a weak tag, or a date that may have covered two versions, is no proof. */
export function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, date = '', 'last-modified': modified } = headers
  if (etag !== undefined) return /^"[^"]*"$/.test(etag) ? etag : undefined
  const isOld = Date.parse(date) - Date.parse(modified ?? '') >= 1_000
  return isOld ? modified : undefined
}

export type Piece = {
  /** Where its first byte belongs in the file. */
  readonly from: number
  /** Of the whole file, if the server says so. */
  readonly totalBytes: number | undefined
}

/** Which piece of the file an answer with 200 or 206 holds; undefined when it is not the one that was asked for. */
export function pieceOf(
  response: IncomingMessage,
  asked: Beginning | undefined,
): Piece | undefined {
  const { headers, statusCode } = response
  if (statusCode === 200) return { from: 0, totalBytes: count(headers['content-length']) }
  const [, first, last, total] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(headers['content-range'] ?? '') ?? []
  const isRest = Number(first) === asked?.bytes && Number(last) === Number(total) - 1
  const isSame = headers.etag === undefined || !isTag(asked) || headers.etag === asked?.validator
  return isRest && isSame ? { from: Number(first), totalBytes: count(total) } : undefined
}

function isTag(beginning: Beginning | undefined): boolean {
  return beginning?.validator.startsWith('"') ?? false
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
