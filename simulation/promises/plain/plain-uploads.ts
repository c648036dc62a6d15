import type { PlainSession } from '../../actors/plain-session.ts'
import { filmHead } from '../../actors/file-form.ts'
import { pagesOrigin } from '../../platform/common-settings.ts'
import type { Plainly } from './plain-parts.ts'

const path = '/v1/uploads'
const videos = '/v1/videos'
type Opened = {
  uploadId: string
  expiresAt: string
  partSize: number
  parts: { url: string }[]
}

/** An upload belongs to its account, becomes one video, and ends after a day. Returns what is looked at when the day is over. */
export async function judgeOpenUploads(parts: Plainly): Promise<() => Promise<void>> {
  const { own, other } = parts
  const film = `${filmHead}${'a film in one part'.padEnd(40, '.')}`
  const left = await openUpload(own, film)
  const long = `${filmHead}${'a film in several parts'.padEnd(200, '.')}`
  const opened = await openUpload(own, long)
  const { uploadId, parts: pieces, partSize } = opened
  const one = `${path}/${uploadId}`
  await own.expect(409, ['POST', videos, { uploadId }])
  await own.expect(400, ['POST', videos, naming(uploadId)])
  const etags = await judgeMissing(own, one, { opened, film: long })
  for (const asked of [
    ['GET', one],
    ['DELETE', one],
    ['POST', `${one}/complete`, {}],
    ['POST', videos, { uploadId }],
  ] as const) {
    await other.expect(404, asked)
  }
  await judgeLists(own, one, etags)
  await own.expect(200, ['POST', `${one}/complete`, {}])
  const whole = await own.expect(200, ['GET', one])
  own.same('an upload that is complete', [whole['status'], whole['parts']], ['ready', []])
  await judgeForged(own, pathOf(pieces[0]), long.slice(0, partSize))
  const again = await own.ask(['PUT', pathOf(pieces[0])], {}, long.slice(0, partSize))
  own.same('a part that comes after the end of its upload', again?.status, 409)
  await other.expect(404, ['POST', videos, { uploadId }])
  await other.expect(400, ['POST', videos, naming(uploadId)])
  const { videoId } = await own.expect(202, ['POST', videos, { uploadId }])
  await own.expect(409, ['POST', videos, { uploadId }])
  await own.expect(400, ['POST', videos, naming(uploadId)])
  await own.expect(409, ['DELETE', one])
  const second = await own.expect(202, ['POST', videos, { sourceVideoId: videoId }])
  own.same('whether a file serves two videos', second['videoId'] === videoId, false)
  await judgeRefused(parts)
  await judgeAtOnce(parts)
  await judgeShared(parts, film)
  await judgePages(own, film)
  const dropped = await openUpload(own, film)
  await own.expect(204, ['DELETE', `${path}/${dropped.uploadId}`])
  await own.expect(404, ['GET', `${path}/${dropped.uploadId}`])
  const named = await judgeNamed(parts, film)
  return async () => {
    await own.expect(404, ['GET', `${path}/${left.uploadId}`])
    await own.expect(404, ['POST', `${path}/${left.uploadId}/complete`, {}])
    const late = await own.ask(['PUT', pathOf(left.parts[0])], {}, film)
    own.same('a part that comes after a day', (late?.status ?? 0) < 400, false)
    await own.expect(404, ['GET', `${path}/${named}`])
  }
}

type Sent = { partNumber: number; etag: string }

/** What has not come is told by number, and comes. */
async function judgeMissing(
  own: PlainSession,
  one: string,
  { opened, film }: { opened: Opened; film: string },
): Promise<Sent[]> {
  const { partSize, parts } = opened
  const [first, ...rest] = parts
  if (!first) throw new Error('an upload has no parts')
  const sent = await sendParts(own, [first], film.slice(0, partSize), partSize)
  const refused = await own.expect(409, ['POST', `${one}/complete`, {}])
  own.same('the parts that are missing', (refused['details'] as unknown[]).length, rest.length)
  const told = await own.expect(200, ['GET', one])
  const come = sent.map((part) => ({ ...part, sizeInBytes: partSize }))
  own.same('the parts that have come', told['receivedParts'], come)
  own.same('the name of a file', told['fileName'], 'plain.mp4')
  return [...sent, ...(await sendParts(own, rest, film.slice(partSize), partSize))]
}

/** A list of parts has to name each of them once, as it is. */
async function judgeLists(own: PlainSession, one: string, parts: readonly Sent[]): Promise<void> {
  const [first, ...rest] = parts
  const complete = async (status: number, list: readonly unknown[]): Promise<unknown> =>
    own.expect(status, ['POST', `${one}/complete`, { parts: list }])
  await complete(400, rest)
  await complete(400, [...parts, first])
  await complete(400, [{ ...first, etag: '"another"' }, ...rest])
  await complete(200, parts)
}

/** An address for a part is good for this part of this upload, and for no longer than it says. */
async function judgeForged(own: PlainSession, signed: string, bytes: string): Promise<void> {
  const [id = '', number = '', until = '', mac = ''] = signed.split('.')
  const forged = [
    [`${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`, number, until, mac],
    [id, String(Number(number) + 1), until, mac],
    [id, number, String(Number(until) + 1), mac],
  ]
  for (const parts of forged) {
    const answer = await own.ask(['PUT', parts.join('.')], {}, bytes)
    own.same('a part that is sent to an address that was changed', answer?.status, 403)
  }
}

/** An upload that is not a film never becomes a video, and does not stay. */
async function judgeRefused({ own, bucket }: Plainly): Promise<void> {
  const text = 'this is not a film at all, but a text'.padEnd(60, '.')
  const { uploadId, parts } = await openUpload(own, text)
  await sendParts(own, parts, text)
  const completed = await own.ask(['POST', `${path}/${uploadId}/complete`, {}])
  own.same('whether a text is a film', (completed?.status ?? 0) < 400, false)
  own.same('whether a text stays', bucket.objects.has(`uploads/${uploadId}/source`), false)
  const made = await own.ask(['POST', videos, { uploadId }])
  own.same('whether a text becomes a video', (made?.status ?? 0) < 400, false)
  await own.expect(400, ['POST', videos, naming(uploadId)])
  // A picture may be laid over a video, and is none.
  const picture = 'GIF89a'.padEnd(60, '.')
  const opened = await openUpload(own, picture)
  await sendParts(own, opened.parts, picture)
  await own.expect(200, ['POST', `${path}/${opened.uploadId}/complete`, {}])
  await own.expect(409, ['POST', videos, { uploadId: opened.uploadId }])
  await own.expect(204, ['DELETE', `${path}/${opened.uploadId}`])
}

/**
 * A part comes twice at once, each time with other bytes: one of the two counts, the one that the bucket has got last. A client
 * that names one of them does not get the other.
 */
async function judgeAtOnce({ own, bucket }: Plainly): Promise<void> {
  for (const sign of ['a', 'b', 'c']) {
    const film = (end: string) => `${filmHead}${sign.padEnd(40, end)}`
    const { uploadId, parts } = await openUpload(own, film('.'))
    const [named] = await Promise.all(
      ['.', ':'].map(async (end) => sendParts(own, parts, film(end))),
    )
    const one = `${path}/${uploadId}/complete`
    if ((await own.ask(['POST', one, { parts: named }]))?.status === 200) {
      const stored = bucket.objects.get(`uploads/${uploadId}/source`)
      const text = new TextDecoder().decode(stored?.bytes)
      own.same('the file of which a client has named the parts', text, film('.'))
    }
    await own.expect(200, ['POST', `${path}/${uploadId}/complete`, {}])
    await own.expect(204, ['DELETE', `${path}/${uploadId}`])
  }
}

/** The file of a deleted video stays while another one is made of it. */
async function judgeShared({ own, bucket, files }: Plainly, film: string): Promise<void> {
  const { uploadId, parts } = await openUpload(own, film)
  await sendParts(own, parts, film)
  await own.expect(200, ['POST', `${path}/${uploadId}/complete`, {}])
  const first = String((await own.expect(202, ['POST', videos, { uploadId }]))['videoId'])
  await own.ask(['POST', `${videos}/${first}/cancel`, {}])
  const wish = { sourceVideoId: first, reuse: false }
  const second = String((await own.expect(202, ['POST', videos, wish]))['videoId'])
  files.deleting(first)
  await own.expect(204, ['DELETE', `${videos}/${first}`])
  const isKept = bucket.objects.has(`uploads/${uploadId}/source`)
  own.same('whether the file stays of which another video is made', isKept, true)
  await own.ask(['POST', `${videos}/${second}/cancel`, {}])
}

/** The pages of the configured sites may send parts and read what is answered; those of others may not. */
async function judgePages(own: PlainSession, film: string): Promise<void> {
  const { uploadId, parts } = await openUpload(own, film)
  const at = pathOf(parts[0])
  for (const [Origin, allowed, status] of [
    [pagesOrigin, pagesOrigin, 204],
    ['https://strangers.example.com', null, 403],
  ] as const) {
    own.same(
      'whether a page may send a part',
      (await own.ask(['OPTIONS', at], { Origin }))?.status,
      status,
    )
    const sent = await own.ask(['PUT', at], { Origin }, film.slice(0, partBytes))
    const { etag } = JSON.parse(sent?.text ?? '{}') as Sent
    const told = ['ETag', 'Access-Control-Allow-Origin', 'Vary'].map((name) =>
      sent?.headers.get(name),
    )
    own.same('what is told beside the answer to a part', told, [etag, allowed, 'Origin'])
    const readable = sent?.headers.get('Access-Control-Expose-Headers') ?? ''
    own.same(
      'whether a page may read the tag of a part',
      readable.includes('ETag'),
      allowed !== null,
    )
  }
  await own.expect(204, ['DELETE', `${path}/${uploadId}`])
}

/** An upload stays for a day after it was completed, and one that is laid over a video for a day after it was last named. */
async function judgeNamed({ own, world }: Plainly, film: string): Promise<string> {
  const { uploadId, parts } = await openUpload(own, film)
  await sendParts(own, parts, film)
  await own.pause(namedAfterMs)
  await own.expect(200, ['POST', `${path}/${uploadId}/complete`, {}])
  const endOf = async (): Promise<number> =>
    Date.parse(String((await own.expect(200, ['GET', `${path}/${uploadId}`]))['expiresAt']))
  const before = await endOf()
  const isWhole = before > world.loop.wall + dayMs - namedAfterMs / 2
  own.same('whether a day begins when a file is complete', isWhole, true)
  await own.pause(namedAfterMs)
  const made = await own.expect(202, ['POST', videos, naming(uploadId)])
  own.same(
    'whether an upload that was named stays longer',
    (await endOf()) >= before + namedAfterMs,
    true,
  )
  await own.ask(['POST', `${videos}/${String(made['videoId'])}/cancel`, {}])
  return uploadId
}

/** Joins it with another file. */
function naming(uploadId: string) {
  const files = [{ url: `upload://${uploadId}` }, { url: 'https://sources.example.com/second.mp4' }]
  return { files, combine: true }
}

const namedAfterMs = 600_000
const dayMs = 86_400_000

/** Announces a file. */
export async function openUpload(own: PlainSession, bytes: string): Promise<Opened> {
  // Some clients tell the folder too.
  const body = { fileName: 'films/plain.mp4', sizeInBytes: bytes.length }
  return (await own.expect(201, ['POST', path, body])) as Opened
}

/** Sends its parts. */
export async function sendParts(
  own: PlainSession,
  parts: Opened['parts'],
  bytes: string,
  partSize = partBytes,
): Promise<Sent[]> {
  const told: Sent[] = []
  for (const [i, { url }] of parts.entries()) {
    const part = bytes.slice(i * partSize, (i + 1) * partSize)
    const sent = await own.ask(['PUT', pathOf({ url })], {}, part)
    own.same('the answer to a part', sent?.status, 200)
    const { partNumber, etag } = JSON.parse(sent?.text ?? '{}') as Sent
    told.push({ partNumber, etag })
  }
  return told
}

function pathOf(part: { url: string } | undefined): string {
  return new URL(part?.url ?? '').pathname
}

/** In the simulated world. */
const partBytes = 64
