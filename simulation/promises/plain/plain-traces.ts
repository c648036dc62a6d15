import { endlessFilm } from '../../actors/media/told-of-work.ts'
import type { Plainly } from './plain-parts.ts'

const startedWithinSeconds = 7_200
const stepSeconds = 30
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
