import { createHash, createHmac } from 'node:crypto'
import type { Sent } from './network.ts'

type Given = { credential: string; names: string; signature: string; datetime: string }

/** An address says nothing of the bytes that are sent there; a signed request does. */
const unsigned = 'UNSIGNED-PAYLOAD'
/** Keys are derived in four steps, and one is good for a day. */
const keys = new Map<string, Buffer>()
const mostKeys = 100

/** What is wrong with the signature of a request to a bucket, as S3 describes it; undefined if one of these secrets has made it. */
export function faultOfSignature(sent: Sent, secrets: readonly string[]): string | undefined {
  const given = givenIn(sent)
  if (!given) return 'without a signature'
  const digest = isInAddress(sent) ? unsigned : hashOf(sent.text)
  const [, ...scope] = given.credential.split('/')
  const text = ['AWS4-HMAC-SHA256', given.datetime, scope.join('/')]
  const signed = [...text, hashOf(canonical(sent, given.names, digest))].join('\n')
  const isGood = secrets.some(
    (secret) => mac(keyOf(secret, scope), signed).toString('hex') === given.signature,
  )
  return isGood ? undefined : 'with a signature that nobody has made who may'
}

/** For how long a signed address is good, and whether that is over at this moment. */
export function lifeOf({ url }: Sent, now: number): { ms: number; isOver: boolean } {
  const { searchParams } = new URL(url)
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(searchParams.get('X-Amz-Date') ?? '') ?? []
  const begins = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const ms = 1_000 * Number(searchParams.get('X-Amz-Expires'))
  return { ms, isOver: now > begins + ms }
}

function isInAddress({ url }: Sent): boolean {
  return new URL(url).searchParams.has('X-Amz-Signature')
}

function givenIn(sent: Sent): Given | undefined {
  const { searchParams } = new URL(sent.url)
  const header = sent.headers.get('Authorization') ?? ''
  const [, ofHeader = '', namesOfHeader = '', inHeader = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(header) ?? []
  const [credential, names, signature, datetime] = isInAddress(sent)
    ? ['Credential', 'SignedHeaders', 'Signature', 'Date'].map((name) =>
        searchParams.get(`X-Amz-${name}`),
      )
    : [ofHeader, namesOfHeader, inHeader, sent.headers.get('X-Amz-Date')]
  return credential && names && signature && datetime
    ? { credential, names, signature, datetime }
    : undefined
}

/** The request in the one form in which it is signed. */
function canonical({ url, method, headers }: Sent, names: string, digest: string): string {
  const { pathname, searchParams, host } = new URL(url)
  const pairs = [...searchParams].filter(([name]) => name !== 'X-Amz-Signature')
  const query = pairs.map((pair) => pair.map(encoded).join('=')).toSorted()
  const told = names
    .split(';')
    .map((name) => `${name}:${name === 'host' ? host : (headers.get(name) ?? '')}\n`)
  const path = encoded(decodeURIComponent(pathname)).replaceAll('%2F', '/')
  return [method, path, query.join('&'), told.join(''), names, digest].join('\n')
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function keyOf(secret: string, scope: readonly string[]): Buffer {
  const name = [secret, ...scope].join(' ')
  const known = keys.get(name)
  if (known) return known
  const key = scope.reduce<Buffer>((key, step) => mac(key, step), Buffer.from(`AWS4${secret}`))
  if (keys.size >= mostKeys) keys.clear()
  keys.set(name, key)
  return key
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
