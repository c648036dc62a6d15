const encoder = new TextEncoder()

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)))
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function sha256(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? Uint8Array.from(encoder.encode(content)) : content
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** As the documents of S3 write it: everything but letters, digits and -._~ is escaped. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export type S3Identity = { accessKeyId: string; secretAccessKey: string; region: string }

/** `presigned`: the signature stands in the query. */
type Signing = {
  scope: string
  signedHeaders: string
  signature: string
  date: string
  presigned: boolean
}

function readSigning({ headers }: Request, query: URLSearchParams): Signing | undefined {
  const value = headers.get('Authorization')
  if (value === null) {
    return query.has('X-Amz-Signature')
      ? {
          scope: query.get('X-Amz-Credential') ?? '',
          signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
          signature: query.get('X-Amz-Signature') ?? '',
          date: query.get('X-Amz-Date') ?? '',
          presigned: true,
        }
      : undefined
  }
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, scope, signedHeaders, signature] = pattern.exec(value) ?? []
  if (!scope || !signedHeaders || !signature) return undefined
  const date = headers.get('X-Amz-Date') ?? ''
  return { scope, signedHeaders, signature, date, presigned: false }
}

function timeOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

function isTimely(signing: Signing, query: URLSearchParams): boolean {
  const age = Date.now() - timeOf(signing.date)
  if (!signing.presigned) return Math.abs(age) <= 900_000
  return age >= -900_000 && age <= Number(query.get('X-Amz-Expires')) * 1000
}

/** The code of the error with which S3 would refuse this request; undefined for one that is signed as it must be. */
export async function signatureFault(
  request: Request,
  body: Uint8Array<ArrayBuffer>,
  { accessKeyId, secretAccessKey, region }: S3Identity,
): Promise<string | undefined> {
  const url = new URL(request.url)
  const signing = readSigning(request, url.searchParams)
  if (!signing) return 'AccessDenied'
  const day = signing.date.slice(0, 8)
  const [key, ...scope] = signing.scope.split('/')
  if (key !== accessKeyId) return 'InvalidAccessKeyId'
  if (scope.join('/') !== `${day}/${region}/s3/aws4_request`) return 'AuthorizationHeaderMalformed'
  if (!isTimely(signing, url.searchParams)) return 'RequestTimeTooSkewed'
  const names = signing.signedHeaders.split(';')
  if (!names.includes('host')) return 'AccessDenied'
  const payload = signing.presigned
    ? 'UNSIGNED-PAYLOAD'
    : (request.headers.get('X-Amz-Content-Sha256') ?? '')
  if (!signing.presigned && payload !== (await sha256(body))) return 'XAmzContentSHA256Mismatch'
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((segment) => escaped(decodeURIComponent(segment)))
      .join('/'),
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${name === 'host' ? url.host : request.headers.get(name)}`),
    '',
    signing.signedHeaders,
    payload,
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', signing.date, scope.join('/'), await sha256(canonical)]
  let signingKey: Uint8Array<ArrayBuffer> = Uint8Array.from(
    encoder.encode(`AWS4${secretAccessKey}`),
  )
  for (const part of scope) signingKey = await hmac(signingKey, part)
  const expected = hexOf(await hmac(signingKey, toSign.join('\n')))
  return expected === signing.signature ? undefined : 'SignatureDoesNotMatch'
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&')
}
