import { unheardFilm, unseenFilm } from '../../actors/media/told-of-work.ts'
import type { PlainSession } from '../../actors/plain-session.ts'
import { sendFile } from './plain-batches.ts'
import type { Plainly } from './plain-parts.ts'

/** Longer than a video takes. */
const madeWithinSeconds = 7_200
const stepSeconds = 30

type Wish = Record<string, unknown>
type Read = Record<string, unknown>

/**
 * Who wants work of their own gets it, also if the same was made before. A result that lacks words or a file is given to nobody,
 * because another try may find them: those see it that look at ends.
 */
export async function judgeOwnWork(parts: Plainly): Promise<void> {
  const { own } = parts
  await make(own, film('own-work'))
  await judgeMaker(parts, await make(own, film('own-work')))
  const first = await make(own, { uploadId: await sendFile(own) })
  for (const source of [film('own-work'), { sourceVideoId: first['videoId'] }]) {
    const { reusedFrom = null } = await make(own, { ...source, reuse: false })
    own.same('whose result somebody has who wants work of their own', reusedFrom, null)
  }
  for (const wish of [
    { ...film(unheardFilm), enableTranscription: true },
    { ...film(unseenFilm), enableThumbnail: true },
  ]) {
    await make(own, wish)
    await make(own, wish)
  }
}

/** The job of a video that has the result of another one tells which attempt has made it, and that it cost nothing. */
async function judgeMaker(
  { own, database }: Plainly,
  { videoId, jobId, reusedFrom }: Read,
): Promise<void> {
  if (reusedFrom === undefined) return
  const { data } = await own.expect(200, ['GET', `/v1/jobs?videoId=${String(videoId)}`])
  const { attempts } = (data as { attempts: Read[] }[])[0] ?? { attempts: [] }
  const { outcome, cpuSeconds } = attempts.at(-1) ?? {}
  own.same('who has made a result of before', [outcome, cpuSeconds], ['succeeded', null])
  const tried = database.read('SELECT 1 FROM job_attempts WHERE job_id = ?', String(jobId)).length
  own.same('how many more attempts are told then', attempts.length - tried, 1)
}

/**
 * A plan says what would become of a request, and nothing comes of it: its upload can still become a video. It names the earlier
 * result that the video would get, and never one of another account.
 */
export async function judgeForesight(parts: Plainly): Promise<void> {
  const { own, other, database, account, workers, bucket, files } = parts
  // Containers are started for plans, and those that look at containers know only jobs.
  if (workers.length === 0) return
  const plan = async (by: PlainSession, wish: Wish) => by.expect(200, ['POST', '/v1/plans', wish])
  const count = () =>
    database.read('SELECT id FROM videos WHERE account_id = ?', account.accountId).length
  const before = count()
  const uploadId = await sendFile(own)
  const early = await plan(own, { uploadId })
  own.same('how many videos come of a plan', count() - before, 0)
  own.same('whether a plan says when it begins', typeof early['startsIn'], 'object')
  await other.expect(404, ['POST', '/v1/plans', { uploadId }])
  await make(own, { uploadId })
  await own.expect(409, ['POST', '/v1/plans', { uploadId }])
  const wish = film('foreseen')
  const { status, videoId, reusedFrom } = await make(own, wish)
  const later = await plan(own, wish)
  const [{ engines = 0 } = {}] = database.read(
    'SELECT count(DISTINCT engine) AS engines FROM videos WHERE engine IS NOT NULL',
  )
  if (status === 'succeeded' && engines === 1)
    own.same(
      'whose result a plan names',
      [videoId, reusedFrom].includes(later['reusedFrom']) || later['reusedFrom'],
      true,
    )
  own.same(
    'a plan of work of their own',
    (await plan(own, { ...wish, reuse: false }))['reusedFrom'],
    null,
  )
  const theirs = (await plan(other, wish))['reusedFrom']
  const mine = database.read(
    'SELECT id FROM videos WHERE id = ? AND account_id = ?',
    String(theirs),
    account.accountId,
  )
  own.same('whether a plan names the result of another account', mine, [])
  const named = String(later['reusedFrom'])
  if (later['reusedFrom'] !== null)
    own.same('what a result of before costs', later['price'], { likely: 0, least: 0, most: 0 })
  // The files of some lie with those of another video.
  if (named !== videoId || reusedFrom !== undefined) return
  for (const key of bucket.objects.keys())
    if (key.includes(named) && key.includes('/final.')) bucket.lose(key)
  const lost = (await plan(own, wish))['reusedFrom']
  own.same('whether a plan names a result that is lost', lost === named, false)
  files.deleting(named)
  await own.expect(204, ['DELETE', `/v1/videos/${named}`])
}

function film(name: string): Wish {
  return { fileUrl: `https://sources.example.com/${name}.mp4` }
}

async function make(own: PlainSession, wish: Wish): Promise<Read> {
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', wish])
  const read = async () => own.expect(200, ['GET', `/v1/videos/${String(videoId)}`])
  const isAtWork = async () => ['queued', 'running'].includes(String((await read())['status']))
  for (let seconds = 0; seconds < madeWithinSeconds && (await isAtWork()); seconds += stepSeconds)
    await own.pause(stepSeconds * 1_000)
  return read()
}
