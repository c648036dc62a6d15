import type { Plainly } from './plain-parts.ts'
import { filmHead, formOf, withFileName, withTwice, type FileForm } from '../../actors/file-form.ts'

const path = '/v1/videos/upload'
/** Longer than making a video takes. */
const madeWithinMs = 40 * 60_000
/** How long a key is held for a request that does not answer. */
const heldMs = 121_000
/** How long a piece of a form takes; the limit for it is a minute. */
const slowMs = 12_000
const tooSlowMs = 3_600_000
/** By then a form that does not come is refused. */
const refusedWithinMs = 180_000

/** A file sent in a form becomes one video, and a refused one leaves nothing behind. */
export async function judgeForms(parts: Plainly): Promise<void> {
  const { own, other, database, account, world } = parts
  const since = world.loop.wall
  const fields = { videoName: 'by form', enableThumbnail: 'true' }
  const form = formOf(fields, 'a film of a form')
  const made = await own.expect(202, ['POST', path, form, 'form'])
  own.same('the answer to a form', await own.expect(202, ['POST', path, form, 'form']), made)
  await own.expect(409, ['POST', path, formOf(fields, 'another film'), 'form'])
  await own.expect(409, [
    'POST',
    path,
    formOf({ ...fields, videoName: 'other' }, 'a film of a form'),
    'form',
  ])
  await own.expect(400, [
    'POST',
    path,
    formOf({ videoNam: 'wrong' }, 'a film of a form'),
    'refused',
  ])
  await own.expect(400, ['POST', path, formOf(fields, 'no film', ''), 'refused'])
  // Neither a field nor the file may come twice.
  for (const part of [1, 3]) await own.expect(400, ['POST', path, withTwice(form, part), 'refused'])
  await judgeLarge(parts, form)
  await judgeNames(parts)
  const second = await own.expect(202, ['POST', path, form, 'refused'])
  const title = JSON.stringify({ title: 'by form and preset' })
  const filled = formOf({ preset: 'usual', values: title }, 'a film with a preset')
  const { videoId } = await own.expect(202, ['POST', path, filled])
  const { videoName } = await own.expect(200, ['GET', `/v1/videos/${String(videoId)}`])
  own.same('the name of a video by form with a preset', videoName, 'by form and preset')
  const theirs = await other.expect(202, ['POST', path, form, 'form'])
  own.same(
    'the videos of three forms',
    new Set([made, second, theirs].map(({ videoId }) => videoId)).size,
    3,
  )
  const sql =
    "SELECT id, status FROM uploads WHERE account_id = ? AND created_at >= ? AND status NOT IN ('used', 'dropped', 'open', 'ready', 'refused')"
  own.same('what is left of forms', database.read(sql, account.accountId, since), [])
  await judgeAtOnce(parts)
  await own.pause(madeWithinMs)
  for (const { videoId } of [made, second]) {
    const video = await own.expect(200, ['GET', `/v1/videos/${String(videoId)}`])
    own.same('the name of a video by form', video['videoName'], 'by form')
  }
  await judgeLimits(parts)
  await judgeAbandoned(parts)
  await judgeSlow(parts)
}

/** A video without a name has that of its file, which clients write in two ways. */
async function judgeNames({ own }: Plainly): Promise<void> {
  const form = formOf({}, 'a film with a name')
  for (const name of ["UTF-8''caf%C3%A9.mp4", "iso-8859-1'fr'caf%E9.mp4"]) {
    const { videoId } = await own.expect(202, ['POST', path, withFileName(form, name)])
    const one = `/v1/videos/${String(videoId)}`
    const { videoName } = await own.expect(200, ['GET', one])
    own.same('the name of a video that has none', videoName, 'café')
    await own.ask(['POST', `${one}/cancel`, {}])
  }
}

/** A form that is too large is refused as such. Others that say to be large and are not hold no memory after that. */
async function judgeLarge({ own, disk }: Plainly, { text, type }: FileForm): Promise<void> {
  const statusOf = async (bytes: number): Promise<number | undefined> => {
    const headers = { 'Content-Type': type, 'Content-Length': String(bytes) }
    return (await own.ask(['POST', path], headers, text.slice(0, -20)))?.status
  }
  own.same('a form that is larger than a file may be', await statusOf(10 ** 11), 413)
  for (let tries = 0; tries < 8; tries++)
    own.same('a form that has no end', await statusOf(10 ** 9), disk ? 507 : 400)
}

/** A request that dies before it has its answer keeps its Idempotency-Key for two minutes, and not for a day. */
async function judgeAbandoned({ own, database, deployment }: Plainly): Promise<void> {
  const key = 'abandoned'
  const form = formOf({ videoName: key }, 'a film whose request dies')
  const send = async () => own.ask(['POST', path, form, key])
  const sql = 'SELECT 1 FROM idempotency_keys WHERE idempotency_key = ?'
  const died = send()
  for (let ms = 0; ms < 1_000 && database.read(sql, key).length === 0; ms++) await own.pause(1)
  deployment.rollOut()
  own.same('the answer to a form whose request has died', (await died)?.status, undefined)
  own.same('the same form at once', (await send())?.status, 409)
  await own.pause(heldMs)
  await own.expect(202, ['POST', path, form, key])
}

/** A form that arrives for longer than a silent request counts as at work keeps its key. One that is too slow is refused. */
async function judgeSlow({ own, database, account, world }: Plainly): Promise<void> {
  const since = world.loop.wall
  const film = 'a film that comes slowly'
  const [fast, slow, slower] = [0, slowMs, tooSlowMs].map((ms) =>
    formOf({ videoName: 'slow' }, film.padEnd(400, '.'), filmHead, ms),
  )
  const arriving = own.ask(['POST', path, slow, 'slow'])
  await own.pause(heldMs + slowMs)
  own.same('the same form meanwhile', (await own.ask(['POST', path, fast, 'slow']))?.status, 409)
  const answer = await arriving
  own.same('the answer to a slow form', answer?.status, 202)
  own.same('the same form later', (await own.ask(['POST', path, fast, 'slow']))?.text, answer?.text)
  const before = world.now
  await own.expect(400, ['POST', path, slower, 'slower'])
  const isSoon = world.now - before < refusedWithinMs
  own.same('whether a form that does not come is refused soon', isSoon, true)
  const sql =
    "SELECT status FROM uploads WHERE account_id = ? AND created_at >= ? AND status NOT IN ('used', 'dropped')"
  own.same('what is left of slow forms', database.read(sql, account.accountId, since), [])
  await own.expect(202, ['POST', path, fast, 'slower'])
}

/** Of two forms that arrive at once with one key, one is stored. */
async function judgeAtOnce({ own, promises }: Plainly): Promise<void> {
  const before = promises.uploads.size
  const send = async () =>
    own.ask(['POST', path, formOf({ videoName: 'twice' }, 'a film that comes twice'), 'at-once'])
  const answers = await Promise.all([send(), send()])
  const told = answers.filter((answer) => answer?.status === 202).map((answer) => answer?.text)
  own.same('how many answers two forms at once have', new Set(told).size, 1)
  own.same('how many of them begin to be stored', promises.uploads.size - before, 1)
}

/** A video that would cost more than its customer allows is not made. */
async function judgeLimits({ own, database }: Plainly): Promise<void> {
  const source = { fileUrl: 'https://sources.example.com/limited.mp4', reuse: false }
  const outcomes: [Record<string, unknown>, string][] = [
    [{ maxSeconds: 0.5 }, 'failed'],
    [{ maxPrice: 1e-9 }, 'failed'],
    [{ maxSeconds: 100_000, maxPrice: 1_000 }, 'succeeded'],
  ]
  for (const [limit, status] of outcomes) {
    const made = await own.expect(202, ['POST', '/v1/videos', { ...source, ...limit }])
    await own.pause(madeWithinMs)
    const video = await own.expect(200, ['GET', `/v1/videos/${String(made['videoId'])}`])
    // In some worlds a long film has too little time.
    if (isOutOfTime(database, String(made['videoId']))) continue
    own.same(`a video with ${JSON.stringify(limit)}`, video['status'], status)
  }
}

function isOutOfTime(database: Plainly['database'], videoId: string): boolean {
  const sql = "SELECT error ->> '$.reason' AS reason FROM jobs WHERE video_id = ?"
  return database.read(sql, videoId)[0]?.['reason'] === 'out_of_time'
}
