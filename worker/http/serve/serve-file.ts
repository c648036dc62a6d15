import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import type { OutputKind } from '../../contract/job/media-job.ts'
import {
  readRange,
  type ByteRange,
  openObject,
  type OpenedObject,
  type ObjectPart,
} from '../../service/files/open-object.ts'
import {
  fileName,
  readLink,
  type FileLink,
  type LinkedFile,
} from '../../service/files/file-links.ts'
import { storedFile } from '../../service/files/stored-file.ts'
import { readSettings } from '../../settings.ts'
import { callStorage } from '../../store/database.ts'
import { isMarkedGone } from '../../store/objects/objects.ts'
import { findVideoOfLink } from '../../store/videos/videos.ts'
import type { AppEnv } from '../app-env.ts'

/** The file of a link, and how it is to be shown. */
type FileToServe = LinkedFile & { isSaved: boolean }
/** `unasked`: the video of a link that carries all that is needed, so that no row was read. */
type FoundFile = { file: FileToServe; unasked?: string }

async function findFile(c: Context<AppEnv>): Promise<FoundFile> {
  const now = Date.now()
  const query = queryOf(c)
  const address = {
    token: c.req.param('token') ?? '',
    name: c.req.param('name') ?? '',
    object: query.get('object') ?? undefined,
  }
  const reading = await readLink(readSettings(c.env), address, now)
  if (reading.outcome === 'expired') {
    throw new AppError(
      'Forbidden',
      'This link has expired. The person who sent it to you can get a new one from the record of the video.',
    )
  }
  if (reading.outcome === 'forged')
    throw new AppError('Forbidden', 'This link is not valid. Check that it was copied whole.')
  const { link } = reading
  const { videoId, kind } = link
  if (link.key !== undefined) {
    return { file: await inFolder(c, kind, link.key, query), unasked: videoId }
  }
  const isSaved = asksToSave(query)
  if (link.file) return { file: { ...link.file, isSaved }, unasked: videoId }
  const known = await lookUp(c, link, now)
  if (link.extension === undefined) return { file: { ...known, isSaved } }
  if (!known.key.endsWith(`.${link.extension}`)) throw fileGone()
  return { file: await inFolder(c, kind, known.key, query) }
}

/** A file of a set, under the name by which the other files refer to it. */
async function inFolder(
  c: Context<AppEnv>,
  kind: OutputKind,
  key: string,
  query: URLSearchParams,
): Promise<FileToServe> {
  const object = await callStorage(() => c.env.BUCKET.head(key))
  if (!object) throw fileGone()
  const name = c.req.param('name') ?? ''
  const isSaved = asksToSave(query)
  return { key, sizeBytes: object.size, name: isSaved ? savedName(kind, name) : name, isSaved }
}

/** Stills do not refer to each other, so each is saved with the name of its output: `poster.jpg`, `poster-2.jpg`. */
function savedName(kind: OutputKind, name: string): string {
  const [, part = '', extension = ''] = /^(index|\d+)\.(jpg|png)$/.exec(name) ?? []
  if (part === '') return name
  const [output = ''] = kind.replace(/^output-/, '').split('.')
  return `${output}${part === 'index' ? '' : `-${part}`}.${extension}`
}

/** Looks the file up in the row of the video, for a link that does not name it. */
async function lookUp(
  c: Context<AppEnv>,
  { videoId, kind }: FileLink,
  now: number,
): Promise<LinkedFile> {
  const video = await findVideoOfLink(c.env.DB, videoId)
  const output = video && storedFile(video, kind)
  if (!video || !output) throw fileGone()
  // A link ends when its file does, but the file's time may have been cut since the link was made.
  if (video.filesExpireAt !== null && video.filesExpireAt <= now) throw fileGone()
  const { key, sizeBytes } = output
  return { key, sizeBytes, name: fileName(video, kind) }
}

/** People append `?download=1` to a link, which has a query already. */
function queryOf(c: Context<AppEnv>): URLSearchParams {
  return new URLSearchParams(new URL(c.req.url).search.replaceAll('?', '&'))
}

/** `?download=1`; any other parameter of a link is ignored. */
function asksToSave(query: URLSearchParams): boolean {
  return ['1', 'true', ''].includes(query.get('download') ?? 'no')
}

function fileGone(): AppError {
  return new AppError(
    'NotFound',
    'This file is no longer available. It was deleted or has expired.',
  )
}

/** The header has the name twice: in ASCII for old clients, in UTF-8 for the others (RFC 6266, RFC 8187). */
function contentDisposition(file: FileToServe): string {
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

function fileHeaders(file: FileToServe, object: R2Object): Headers {
  return new Headers({
    'Content-Type': object.httpMetadata?.contentType ?? 'application/octet-stream',
    'Content-Disposition': contentDisposition(file),
    'Accept-Ranges': 'bytes',
    ETag: object.httpEtag,
    'Last-Modified': object.uploaded.toUTCString(),
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

const conditions = ['If-Match', 'If-Unmodified-Since', 'If-None-Match', 'If-Modified-Since']

function isConditional(c: Context<AppEnv>): boolean {
  return conditions.some((name) => c.req.header(name) !== undefined)
}

const secondsOf = ({ uploaded }: R2Object) => Math.floor(uploaded.getTime() / 1000)

/** The outcome of If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since, in the order of RFC 9110. */
function precondition(c: Context<AppEnv>, object: R2Object): 304 | 412 | undefined {
  const { httpEtag } = object
  const seconds = secondsOf(object)
  const dateOf = (name: string) => Date.parse(c.req.header(name) ?? '') / 1000
  const ifMatch = c.req.header('If-Match')
  if (ifMatch !== undefined) {
    if (!namesEtag(ifMatch, httpEtag, 'strong')) return 412
  } else if (dateOf('If-Unmodified-Since') < seconds) return 412
  const ifNoneMatch = c.req.header('If-None-Match')
  if (ifNoneMatch !== undefined) return namesEtag(ifNoneMatch, httpEtag, 'weak') ? 304 : undefined
  return dateOf('If-Modified-Since') >= seconds ? 304 : undefined
}

/** A HEAD has no range (RFC 9110, 14.2). */
function wantedRange(c: Context<AppEnv>, { sizeBytes }: FileToServe): ByteRange {
  if (c.req.method === 'HEAD') return { outcome: 'whole' }
  return readRange(c.req.header('Range'), sizeBytes)
}

/** Whether a range was meant for another version of the file. */
function isOfAnother(c: Context<AppEnv>, object: R2Object): boolean {
  const ifRange = c.req.header('If-Range')
  if (ifRange === undefined || ifRange === object.httpEtag) return false
  return Date.parse(ifRange) / 1000 !== secondsOf(object)
}

/** GET and HEAD /files/{token}/{name} */
export async function getFile(c: Context<AppEnv>): Promise<Response> {
  const { file, unasked } = await findFile(c)
  // Files that several videos share outlive the video of this link.
  const [response, isGone] = await Promise.all([
    sendFile(c, file),
    unasked !== undefined && isMarkedGone(c.env.BUCKET, unasked),
  ])
  if (!isGone) return response
  await response.body?.cancel()
  throw fileGone()
}

/** Answers with the file, or the part of it that is asked for, if the conditions of the request allow it. */
export async function sendFile(c: Context<AppEnv>, file: FileToServe): Promise<Response> {
  const range = wantedRange(c, file)
  const isHead = c.req.method === 'HEAD'
  if (isHead || isConditional(c) || range.outcome === 'unsatisfiable') {
    // A copy that the client has is worth nothing once the file is gone, so the bucket is asked first.
    const known = await callStorage(() => c.env.BUCKET.head(file.key))
    if (!known) throw fileGone()
    const status = precondition(c, known)
    const headers = fileHeaders(file, known)
    if (status !== undefined) return new Response(null, { status, headers })
    if (isHead) return answerHead(file, headers)
    if (range.outcome === 'unsatisfiable' && !isOfAnother(c, known))
      return unsatisfiable(file, headers)
  }
  const part = range.outcome === 'part' ? range : wholeOf(file)
  const opened = await open(c, file, part)
  if (range.outcome !== 'part') return answer(file, opened, { status: 200, part })
  if (!isOfAnother(c, opened.object)) return answer(file, opened, { status: 206, part })
  await opened.body.cancel()
  const whole = wholeOf(file)
  return answer(file, await open(c, file, whole), { status: 200, part: whole })
}

function wholeOf({ sizeBytes }: FileToServe): ObjectPart {
  return { offset: 0, length: sizeBytes }
}

async function open(
  c: Context<AppEnv>,
  { key }: FileToServe,
  part: ObjectPart,
): Promise<OpenedObject> {
  const opened = await openObject(c.env.BUCKET, key, part)
  if (!opened) throw fileGone()
  return opened
}

function answer(
  file: FileToServe,
  { object, body }: OpenedObject,
  { status, part }: { status: 200 | 206; part: ObjectPart },
): Response {
  const headers = fileHeaders(file, object)
  headers.set('Content-Length', String(part.length))
  if (status === 206) {
    const last = part.offset + part.length - 1
    headers.set('Content-Range', `bytes ${part.offset}-${last}/${file.sizeBytes}`)
  }
  return new Response(body, { status, headers })
}

function answerHead({ sizeBytes }: FileToServe, headers: Headers): Response {
  headers.set('Content-Length', String(sizeBytes))
  return new Response(null, { status: 200, headers })
}

function unsatisfiable({ sizeBytes }: FileToServe, headers: Headers): Response {
  headers.set('Content-Range', `bytes */${sizeBytes}`)
  headers.delete('Content-Type')
  return new Response(null, { status: 416, headers })
}
