import { endlessFilm, longFilm } from '../../actors/media/told-of-work.ts'
import type { Plainly } from './plain-parts.ts'

type Shown = { videoId?: string; progressPercent: number }
type Run = { running?: { percent: number } }

const startedWithinSeconds = 7_200
const stepSeconds = 5
/** An object that is moved at that moment is not asked again: the row is shown. */
const tries = 3

/** While a video is at work, all that tells of it tells at least as much as its job has heard before it was asked. */
export async function judgeAtWork({ own, database, deployment }: Plainly): Promise<void> {
  const wish = { fileUrl: `https://sources.example.com/${longFilm}-at-work.mp4`, reuse: false }
  const made = await own.expect(202, ['POST', '/v1/videos', wish])
  const [videoId, jobId] = [made['videoId'], made['jobId']].map(String)
  const heard = (): number => {
    const run = deployment.storageOf('JOB_RUNNER', jobId ?? '')?.kv.get('run') as Run | undefined
    return Math.floor(run?.running?.percent ?? 0)
  }
  const isOver = (): boolean =>
    database.read('SELECT 1 FROM videos WHERE id = ? AND finished_at > 0', videoId ?? '').length > 0
  const ways: Record<string, () => Promise<Shown | undefined>> = {
    'its record': async () => shown(await own.expect(200, ['GET', `/v1/videos/${videoId}`])),
    'its job': async () => shown(await own.expect(200, ['GET', `/v1/jobs/${jobId}`])),
    'its list': async () => {
      const { data } = await own.expect(200, ['GET', '/v1/videos?status=running'])
      return (data as Shown[]).find((one) => one.videoId === videoId)
    },
  }
  for (let seconds = 0; seconds < startedWithinSeconds && !isOver(); seconds += stepSeconds) {
    await own.pause(stepSeconds * 1_000)
    if (heard() === 0) continue
    for (const [name, read] of Object.entries(ways)) {
      const least = heard()
      let told = -1
      for (let asked = 0; asked < tries && told < least && !isOver(); asked++)
        told = (await read())?.progressPercent ?? 100
      if (!isOver())
        own.same(`whether ${name} tells ${least} %, and not ${told}`, told >= least, true)
    }
  }
}

function shown(record: Record<string, unknown>): Shown {
  return record as Shown
}

/** Longer than a media worker takes to tell what it had done. */
const toldMs = 15_000

/** What the media worker of a canceled video had done by then is told of its attempt. */
export async function judgeTraces({ own, database }: Plainly): Promise<void> {
  const wish = { fileUrl: `https://sources.example.com/${endlessFilm}-traced.mp4`, reuse: false }
  const { videoId, jobId } = await own.expect(202, ['POST', '/v1/videos', wish])
  const isMade = (): boolean => {
    const [row] = database.read('SELECT phase FROM videos WHERE id = ?', String(videoId))
    return row?.['phase'] === 'rendering'
  }
  for (let seconds = 0; seconds < startedWithinSeconds && !isMade(); seconds += stepSeconds)
    await own.pause(stepSeconds * 1_000)
  if (!isMade()) return
  await own.expect(200, ['POST', `/v1/videos/${String(videoId)}/cancel`, {}])
  await own.pause(toldMs)
  const job = await own.expect(200, ['GET', `/v1/jobs/${String(jobId)}`])
  const { commands } = (job['attempts'] as { commands: unknown[] }[]).at(-1) ?? {}
  own.same('how many commands a canceled attempt tells of', commands?.length, 1)
}
