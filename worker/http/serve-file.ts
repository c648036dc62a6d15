import type { Context } from 'hono'
import { AppError } from '../contract/errors.ts'
import { readRange, type ByteRange } from '../service/byte-range.ts'
import { fileName, readLink } from '../service/file-links.ts'
import { readSettings } from '../settings.ts'
import { callStorage } from '../store/database.ts'
import type { StoredOutput, VideoRow } from '../store/tables.ts'
import { findVideoOfLink } from '../store/videos.ts'
import type { AppEnv } from './app-env.ts'

type File = { output: StoredOutput; name: string; isSaved: boolean; modifiedAt: number }

async function findFile(c: Context<AppEnv>): Promise<File> {
  const now = Date.now()
  const reading = await readLink(readSettings(c.env), c.req.param('token') ?? '', now)
  if (reading.outcome === 'expired') {
    throw new AppError(
      'Forbidden',
      'This link has expired. The person who gave it to you can find a fresh one in the record of the video.',
    )
  }
  if (reading.outcome === 'forged')
    throw new AppError('Forbidden', 'This link is not valid. Check that it was copied whole.')
  const { videoId, kind } = reading.link
  const video: VideoRow | undefined = await findVideoOfLink(c.env.DB, videoId)
  const output = video?.result?.outputs[kind]
  if (!video || !output) throw fileGone()
  // A link ends when its file does, but the file's time may have been cut since the link was made.
  if (video.filesExpireAt !== null && video.filesExpireAt <= now) throw fileGone()
  const modifiedAt = video.finishedAt ?? video.updatedAt
  return { output, name: fileName(video, kind), isSaved: asksToSave(c), modifiedAt }
}

/** `?download=1`; any other parameter of a link is ignored. */
function asksToSave(c: Context<AppEnv>): boolean {
  return ['1', 'true', ''].includes(c.req.query('download') ?? 'no')
}

function fileGone(): AppError {
  return new AppError(
    'NotFound',
    'This file is no longer available. It was deleted or has expired.',
  )
}

/** The header has the name twice: in ASCII for old clients, in UTF-8 for the others (RFC 6266, RFC 8187). */
function contentDisposition(file: File): string {
  const plain = file.name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(file.name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const disposition = file.isSaved ? 'attachment' : 'inline'
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Any site may read the file: the link itself is the permission, and no cookie or key is sent with it. */
const readableEverywhere = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag',
}

/** OPTIONS /files/{token}/{name}: what a browser asks before a page reads a part. The token is not checked. */
export function preflightFile(c: Context<AppEnv>): Response {
  return c.body(null, 204, {
    ...readableEverywhere,
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers':
      'If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range',
    'Access-Control-Max-Age': '7200',
  })
}

function fileHeaders(file: File): Headers {
  return new Headers({
    'Content-Type': file.output.contentType,
    'Content-Disposition': contentDisposition(file),
    'Accept-Ranges': 'bytes',
    ETag: file.output.etag,
    'Last-Modified': new Date(file.modifiedAt).toUTCString(),
    // The link of a deleted video must stop working at once, so a cache has to ask before it uses its copy.
    'Cache-Control': 'private, no-cache',
    // Other sites may show the file and read it, as a player does with captions; that is what a link is for.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...readableEverywhere,
    // A browser shows a video in a page that it makes itself. That page may show this file, and do nothing else.
    'Content-Security-Policy':
      "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'; sandbox",
  })
}

/** If-None-Match compares weakly; If-Match and If-Range need the same bytes, which a weak tag does not promise. */
function namesEtag(header: string, etag: string, comparison: 'weak' | 'strong'): boolean {
  return header.split(',').some((part) => {
    const tag = part.trim()
    return tag === '*' || (comparison === 'weak' ? tag.replace(/^W\//, '') : tag) === etag
  })
}

/** The outcome of If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since, in the order of RFC 9110. */
function precondition(c: Context<AppEnv>, file: File): 304 | 412 | undefined {
  const { etag } = file.output
  const seconds = Math.floor(file.modifiedAt / 1000)
  const dateOf = (name: string) => Date.parse(c.req.header(name) ?? '') / 1000
  const ifMatch = c.req.header('If-Match')
  if (ifMatch !== undefined) {
    if (!namesEtag(ifMatch, etag, 'strong')) return 412
  } else if (dateOf('If-Unmodified-Since') < seconds) return 412
  const ifNoneMatch = c.req.header('If-None-Match')
  if (ifNoneMatch !== undefined) return namesEtag(ifNoneMatch, etag, 'weak') ? 304 : undefined
  return dateOf('If-Modified-Since') >= seconds ? 304 : undefined
}

/** Ignores a Range that was meant for another version of the file, and the Range of a HEAD (RFC 9110, 14.2). */
function wantedRange(c: Context<AppEnv>, file: File): ByteRange {
  if (c.req.method === 'HEAD') return { outcome: 'whole' }
  const ifRange = c.req.header('If-Range')
  const same =
    ifRange === undefined ||
    ifRange === file.output.etag ||
    Date.parse(ifRange) / 1000 === Math.floor(file.modifiedAt / 1000)
  return readRange(same ? c.req.header('Range') : undefined, file.output.sizeBytes)
}

async function openObject(
  c: Context<AppEnv>,
  file: File,
  range: { offset: number; length: number },
): Promise<ReadableStream | null> {
  const { key } = file.output
  if (c.req.method === 'HEAD') {
    if (!(await callStorage(() => c.env.BUCKET.head(key)))) throw fileGone()
    return null
  }
  const object = await callStorage(() => c.env.BUCKET.get(key, { range }))
  if (!object) throw fileGone()
  return object.body
}

/** GET and HEAD /files/{token}/{name} */
export async function serveFile(c: Context<AppEnv>): Promise<Response> {
  const file = await findFile(c)
  const headers = fileHeaders(file)
  const failed = precondition(c, file)
  if (failed !== undefined) return new Response(null, { status: failed, headers })
  const size = file.output.sizeBytes
  const range = wantedRange(c, file)
  if (range.outcome === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${size}`)
    headers.delete('Content-Type')
    return new Response(null, { status: 416, headers })
  }
  const part = range.outcome === 'part' ? range : { offset: 0, length: size }
  const body = await openObject(c, file, part)
  headers.set('Content-Length', String(part.length))
  if (range.outcome === 'whole') return new Response(body, { status: 200, headers })
  headers.set('Content-Range', `bytes ${part.offset}-${part.offset + part.length - 1}/${size}`)
  return new Response(body, { status: 206, headers })
}
