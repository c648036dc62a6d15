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
  const film = (name: string): Wish => ({ fileUrl: `https://sources.example.com/${name}.mp4` })
  await make(own, film('own-work'))
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

async function make(own: PlainSession, wish: Wish): Promise<Read> {
  const { videoId } = await own.expect(202, ['POST', '/v1/videos', wish])
  const read = async () => own.expect(200, ['GET', `/v1/videos/${String(videoId)}`])
  const isAtWork = async () => ['queued', 'running'].includes(String((await read())['status']))
  for (let seconds = 0; seconds < madeWithinSeconds && (await isAtWork()); seconds += stepSeconds)
    await own.pause(stepSeconds * 1_000)
  return read()
}
