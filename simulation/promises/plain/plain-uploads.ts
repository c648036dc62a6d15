import type { PlainSession } from '../../actors/plain-session.ts'
import { filmHead } from '../../actors/file-form.ts'
import type { Plainly } from './plain-parts.ts'

const path = '/v1/uploads'
const videos = '/v1/videos'
type Opened = { uploadId: string; expiresAt: string; parts: { url: string }[] }

/** An upload belongs to its account, becomes one video, and ends after a day. Returns what is looked at when the day is over. */
export async function judgeOpenUploads(parts: Plainly): Promise<() => Promise<void>> {
  const { own, other } = parts
  const film = `${filmHead}${'a film in one part'.padEnd(40, '.')}`
  const left = await openUpload(own, film)
  const { uploadId, parts: pieces } = await openUpload(own, film)
  const one = `${path}/${uploadId}`
  await own.expect(409, ['POST', videos, { uploadId }])
  await sendParts(own, pieces, film)
  for (const asked of [
    ['GET', one],
    ['DELETE', one],
    ['POST', `${one}/complete`, {}],
    ['POST', videos, { uploadId }],
  ] as const) {
    await other.expect(404, asked)
  }
  await own.expect(200, ['POST', `${one}/complete`, {}])
  await own.expect(200, ['POST', `${one}/complete`, {}])
  const again = await own.ask(['PUT', pathOf(pieces[0])], {}, film.slice(0, partBytes))
  own.same('a part that comes after the end of its upload', again?.status, 409)
  await other.expect(404, ['POST', videos, { uploadId }])
  const { videoId } = await own.expect(202, ['POST', videos, { uploadId }])
  await own.expect(409, ['POST', videos, { uploadId }])
  await own.expect(409, ['DELETE', one])
  const second = await own.expect(202, ['POST', videos, { sourceVideoId: videoId }])
  own.same('whether a file serves two videos', second['videoId'] === videoId, false)
  await judgeRefused(own)
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

/** What is no film never becomes a video. */
async function judgeRefused(own: PlainSession): Promise<void> {
  const text = 'this is no film at all, but a text'.padEnd(60, '.')
  const { uploadId, parts } = await openUpload(own, text)
  await sendParts(own, parts, text)
  const completed = await own.ask(['POST', `${path}/${uploadId}/complete`, {}])
  own.same('whether a text is a film', (completed?.status ?? 0) < 400, false)
  const made = await own.ask(['POST', videos, { uploadId }])
  own.same('whether a text becomes a video', (made?.status ?? 0) < 400, false)
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
  const files = [{ url: `upload://${uploadId}` }, { url: 'https://sources.example.com/second.mp4' }]
  const made = await own.expect(202, ['POST', videos, { files, combine: true }])
  own.same(
    'whether an upload that was named stays longer',
    (await endOf()) >= before + namedAfterMs,
    true,
  )
  await own.ask(['POST', `${videos}/${String(made['videoId'])}/cancel`, {}])
  return uploadId
}

const namedAfterMs = 600_000
const dayMs = 86_400_000

/** Announces a file. */
export async function openUpload(own: PlainSession, bytes: string): Promise<Opened> {
  const body = { fileName: 'plain.mp4', sizeInBytes: bytes.length }
  return (await own.expect(201, ['POST', path, body])) as Opened
}

/** Sends its parts. */
export async function sendParts(
  own: PlainSession,
  parts: Opened['parts'],
  bytes: string,
): Promise<void> {
  for (const [i, { url }] of parts.entries()) {
    const part = bytes.slice(i * partBytes, (i + 1) * partBytes)
    const sent = await own.ask(['PUT', pathOf({ url })], {}, part)
    own.same('the answer to a part', sent?.status, 200)
  }
}

function pathOf(part: { url: string } | undefined): string {
  return new URL(part?.url ?? '').pathname
}

/** In the simulated world. */
const partBytes = 64
