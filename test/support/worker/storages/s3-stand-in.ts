import { sha256, signatureFault, type S3Identity } from './s3-signature.ts'

export type S3Request = { method: string; key: string; query: URLSearchParams; bytes: number }
type StoredObject = { bytes: Uint8Array<ArrayBuffer>; etag: string; contentType: string | null }
type Parts = Map<number, { bytes: Uint8Array<ArrayBuffer>; etag: string }>

/** The least size of a part that is not the last one. */
const leastPart = 5 * 1024 * 1024

function s3Error(status: number, code: string): Response {
  const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} &amp; so on</Message></Error>`
  return new Response(xml, { status, headers: { 'Content-Type': 'application/xml' } })
}

const statuses: Readonly<Record<string, number>> = {
  AuthorizationHeaderMalformed: 400,
  XAmzContentSHA256Mismatch: 400,
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/**
 * A bucket that speaks S3 as strictly as the real one: it checks each signature and the hash of what is sent by itself, and
 * takes multipart uploads by its rules. It works wherever `fetch` does.
 */
export class S3StandIn {
  readonly identity: S3Identity = {
    accessKeyId: 'AKIAOFTHECUSTOMER',
    secretAccessKey: 'aSecret/of+the=customer0123456789',
    region: 'eu-test-1',
  }
  readonly bucket = 'my-videos'
  readonly objects = new Map<string, StoredObject>()
  readonly uploads = new Map<string, { key: string; parts: Parts; contentType: string | null }>()
  readonly requests: S3Request[] = []
  /** An answer in place of the usual one; a throw is a connection that is cut. */
  interfere: (request: S3Request) => Response | undefined | Promise<Response | undefined> = () =>
    undefined
  #uploads = 0

  async take(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const body = Uint8Array.from(new Uint8Array(await request.arrayBuffer()))
    const [, bucket = '', ...path] = url.pathname.split('/')
    const key = path.map(decodeURIComponent).join('/')
    const { method } = request
    const asked = { method, key, query: url.searchParams, bytes: body.length }
    this.requests.push(asked)
    const instead = await this.interfere(asked)
    if (instead) return instead
    const fault = await signatureFault(request, body, this.identity)
    if (fault !== undefined) return s3Error(statuses[fault] ?? 403, fault)
    if (bucket !== this.bucket) return s3Error(404, 'NoSuchBucket')
    const answer = await this.#answer(asked, request, body)
    return method === 'HEAD' ? new Response(null, answer) : answer
  }

  async #answer(asked: S3Request, request: Request, body: Uint8Array<ArrayBuffer>) {
    const { method, key, query } = asked
    const contentType = request.headers.get('Content-Type')
    const uploadId = query.get('uploadId')
    if (method === 'POST' && query.has('uploads')) return this.#begin(key, contentType)
    if (uploadId !== null) return this.#multipart(uploadId, asked, body)
    switch (method) {
      case 'PUT':
        return this.#store(key, body, contentType)
      case 'HEAD':
      case 'GET':
        return this.#read(key, request.headers.get('Range'))
      case 'DELETE':
        this.objects.delete(key)
        return new Response(null, { status: 204 })
      default:
        return s3Error(405, 'MethodNotAllowed')
    }
  }

  async #store(key: string, bytes: Uint8Array<ArrayBuffer>, contentType: string | null) {
    const etag = `"${(await sha256(bytes)).slice(0, 32)}"`
    this.objects.set(key, { bytes, etag, contentType })
    return new Response(null, { status: 200, headers: { ETag: etag } })
  }

  #read(key: string, range: string | null): Response {
    const found = this.objects.get(key)
    if (!found) return s3Error(404, 'NoSuchKey')
    const { bytes, etag, contentType } = found
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
    const end = to ? Number(to) + 1 : bytes.length
    const some = from === undefined ? bytes : bytes.slice(Number(from), end)
    const headers = {
      ETag: etag,
      'Content-Length': String(some.length),
      'Content-Type': contentType ?? 'application/octet-stream',
      ...(from !== undefined && {
        'Content-Range': `bytes ${from}-${Number(from) + some.length - 1}/${bytes.length}`,
      }),
    }
    return new Response(some, { status: from === undefined ? 200 : 206, headers })
  }

  #begin(key: string, contentType: string | null): Response {
    const uploadId = `upload+${++this.#uploads}/=`
    this.uploads.set(uploadId, { key, parts: new Map(), contentType })
    return new Response(
      `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
    )
  }

  async #multipart(
    uploadId: string,
    { method, key, query }: S3Request,
    body: Uint8Array<ArrayBuffer>,
  ) {
    const upload = this.uploads.get(uploadId)
    if (upload?.key !== key) return s3Error(404, 'NoSuchUpload')
    const number = Number(query.get('partNumber'))
    switch (method) {
      case 'PUT': {
        const etag = `"${(await sha256(body)).slice(0, 32)}"`
        upload.parts.set(number, { bytes: body, etag })
        return new Response(null, { status: 200, headers: { ETag: etag } })
      }
      case 'DELETE':
        this.uploads.delete(uploadId)
        return new Response(null, { status: 204 })
      case 'POST':
        return this.#complete(uploadId, upload, new TextDecoder().decode(body))
      default:
        return s3Error(405, 'MethodNotAllowed')
    }
  }

  async #complete(
    uploadId: string,
    { key, parts, contentType }: { key: string; parts: Parts; contentType: string | null },
    xml: string,
  ): Promise<Response> {
    const pattern = /<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag><\/Part>/g
    const named = [...xml.matchAll(pattern)].map(([, number, etag = '']) => ({
      part: parts.get(Number(number)),
      etag: etag.replaceAll('&quot;', '"'),
    }))
    if (named.some(({ part, etag }) => part?.etag !== etag)) return s3Error(400, 'InvalidPart')
    const bytes = named.flatMap(({ part }) => part?.bytes ?? [])
    if (bytes.slice(0, -1).some(({ length }) => length < leastPart)) {
      return s3Error(400, 'EntityTooSmall')
    }
    const whole = joined(bytes)
    const etag = `"${(await sha256(whole)).slice(0, 32)}-${named.length}"`
    this.objects.set(key, { bytes: whole, etag, contentType })
    this.uploads.delete(uploadId)
    return new Response(
      `<CompleteMultipartUploadResult><ETag>${etag.replaceAll('"', '&quot;')}</ETag></CompleteMultipartUploadResult>`,
    )
  }
}
