import { filmHead } from '../../actors/file-form.ts'
import { endlessFilm } from '../../actors/media/told-of-work.ts'
import type { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'
import { openUpload, sendParts } from './plain-uploads.ts'

const path = '/v1/batches'
const videos = '/v1/videos'
/** Longer than the last end takes to be told. */
const toldWithinMs = 60_000
/** More than are canceled at once. */
const many = 5
const canceledWithinMs = 30_000
/** The sweep comes every five minutes while nothing has failed. */
const sweptWithinMs = 12 * 60_000

type Batch = { status: string; counts: Record<string, number>; canceledAt?: string }
type Made = { batchId: string; videoIds: string[] }

/** A batch is canceled as a whole, however often somebody asks for it, and its end is told once to the address that it names. */
export async function judgeBatches(parts: Plainly): Promise<void> {
  const { own, other, receivers, account, files } = parts
  const webhookUrl = `https://hooks-of-${account.storage}.example.com/batch`
  const items = [0, 1, 2].map((n) => ({
    fileUrl: `https://sources.example.com/plain-${n}.mp4`,
    videoName: `plain ${n}`,
    // The result of another video would end it before it is canceled.
    reuse: false,
  }))
  const made = (await own.expect(202, ['POST', path, { items, webhookUrl }])) as Made
  const one = `${path}/${made.batchId}`
  const read = async () => (await own.expect(200, ['GET', one])) as Batch
  await other.expect(404, ['GET', one])
  await other.expect(404, ['POST', `${one}/cancel`, {}])
  own.same('how many videos a batch has', made.videoIds.length, items.length)
  const listed = await itemsOf(own, one)
  own.same('the videos that a batch tells in pages', listed, made.videoIds)
  const [first = '', second = ''] = made.videoIds
  await own.expect(200, ['POST', `${videos}/${first}/cancel`, {}])
  own.same('a batch of which one video has ended', (await read()).status === 'ended', false)
  await own.expect(200, ['POST', `${one}/cancel`, {}])
  const canceled = await read()
  await own.expect(200, ['POST', `${one}/cancel`, {}])
  own.same('a batch that was canceled twice', (await read()).canceledAt, canceled.canceledAt)
  await own.pause(toldWithinMs)
  const ended = await read()
  own.same('a canceled batch', [ended.status, ended.counts['canceled']], ['ended', items.length])
  files.deleting(second)
  await own.expect(204, ['DELETE', `${videos}/${second}`])
  own.same('a batch of which a video was deleted', (await read()).counts, ended.counts)
  const told = receivers.received.filter(
    ({ url, body }) => url === webhookUrl && body.includes(made.batchId),
  )
  own.same('how many events a batch has', new Set(told.map(({ id }) => id)).size <= 1, true)
  await judgeEnded({ own, items: items.slice(0, 1) })
  await judgeUploaded({ own, other })
  await judgeMany(parts)
  if (!parts.isSweepless) await judgeMany(parts, sweptWithinMs)
}

/** Each page has two of them, as long as there are more. */
async function itemsOf(own: PlainSession, one: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = '0'; cursor !== null;) {
    const page = await own.expect(200, ['GET', `${one}?limit=2&cursor=${cursor}`])
    const told = page['videos'] as { item: number; videoId: string }[]
    if (told.length === 0) return [...ids, 'an empty page']
    for (const { item, videoId } of told) ids[item] = videoId
    cursor = page['nextCursor'] as string | null
  }
  return ids
}

/**
 * Of many videos only some are canceled at once, and a message goes on with the others. If it is lost, the sweep goes on.
 * `lostForMs`: how long that may take.
 */
async function judgeMany(
  { own, database, deployment }: Plainly,
  lostForMs?: number,
): Promise<void> {
  const items = Array.from({ length: many }, (_, n) => ({
    ...{ fileUrl: `https://sources.example.com/${endlessFilm}-${n}.mp4`, reuse: false },
  }))
  const { batchId, videoIds } = (await own.expect(202, ['POST', path, { items }])) as Made
  let lost = 0
  if (lostForMs !== undefined)
    deployment.losesMessage = (body) => JSON.stringify(body).includes(batchId) && lost++ === 0
  const one = `${path}/${batchId}`
  await own.expect(200, ['POST', `${one}/cancel`, {}])
  const { canceledAt } = await own.expect(200, ['GET', one])
  if (lostForMs === undefined) await own.expect(200, ['POST', `${one}/cancel`, {}])
  await own.pause(lostForMs ?? canceledWithinMs)
  const told = await own.expect(200, ['GET', one])
  own.same('when a batch was canceled', told['canceledAt'], canceledAt)
  deployment.losesMessage = () => false
  const goesOn = database
    .read("SELECT id FROM videos WHERE status IN ('queued', 'running', 'succeeded')")
    .filter(({ id }) => videoIds.includes(String(id)))
  const how = lostForMs === undefined ? '' : ', and whose message was lost'
  own.same(`what goes on of a batch that was canceled${how}`, goesOn, [])
}

/** One that has ended by itself cannot be canceled. */
async function judgeEnded({
  own,
  items,
}: Pick<Plainly, 'own'> & { items: readonly unknown[] }): Promise<void> {
  const made = (await own.expect(202, ['POST', path, { items }])) as Made
  await own.expect(200, ['POST', `${videos}/${made.videoIds[0] ?? ''}/cancel`, {}])
  await own.pause(toldWithinMs)
  await own.expect(409, ['POST', `${path}/${made.batchId}/cancel`, {}])
}

/** An upload becomes one video of its account, also in a batch, and also if a video is made of it at the same moment. */
async function judgeUploaded({ own, other }: Pick<Plainly, 'own' | 'other'>): Promise<void> {
  const contested = { uploadId: await sendFile(own), reuse: false }
  const answers = await Promise.all([
    own.ask(['POST', path, { items: [contested] }]),
    own.ask(['POST', videos, contested]),
  ])
  const statuses = answers.map((answer) => answer?.status)
  const taken = statuses.filter((status) => status === 202)
  own.same('how many of two get one upload', taken.length, 1)
  const uploadId = await sendFile(own)
  const items = [{ uploadId, reuse: false }]
  const theirs = await other.ask(['POST', path, { items }])
  other.same('a batch of the upload of another account', (theirs?.status ?? 0) < 400, false)
  const twice = await own.ask(['POST', path, { items: [...items, ...items] }])
  own.same('a batch that names an upload twice', (twice?.status ?? 0) < 400, false)
  const asked = ['POST', path, { items }, 'a-batch-of-an-upload'] as const
  const made = (await own.expect(202, asked)) as Made
  own.same('the answer to the same batch', await own.expect(202, asked), made)
  const upload = await own.expect(200, ['GET', `/v1/uploads/${uploadId}`])
  own.same('the video of an upload', upload['videoId'], made.videoIds[0])
  const again = await own.ask(['POST', path, { items }])
  own.same('a second batch of an upload', (again?.status ?? 0) < 400, false)
  await own.expect(200, ['POST', `${path}/${made.batchId}/cancel`, {}])
}

/** Returns the id of its upload. */
export async function sendFile(own: PlainSession): Promise<string> {
  const film = `${filmHead}${'a film of a batch'.padEnd(40, '.')}`
  const { uploadId, parts } = await openUpload(own, film)
  await sendParts(own, parts, film)
  await own.expect(200, ['POST', `/v1/uploads/${uploadId}/complete`, {}])
  return uploadId
}
