import type { Plainly } from './plain-parts.ts'

const videos = '/v1/videos'
const minuteMs = 60_000
/** As documented: how long a job waits for a media worker that understands it, and a little longer. */
const patienceMs = 32 * minuteMs
const secondAfterMs = 15 * minuteMs
/** The first one has failed by then, and the second one has not. */
const refusedMs = patienceMs + 5 * minuteMs
/** Longer than any of them works. */
const madeWithinSeconds = 7_200
const secondMs = 1_000

/** While every media worker is of another version, a job waits for half an hour, and not longer. One that came later is made. */
export async function judgeVersions({ own, workers, database }: Plainly): Promise<void> {
  if (workers.length === 0) return
  const isBusy = (): boolean =>
    database.read("SELECT id FROM videos WHERE status IN ('queued', 'running')").length > 0
  const untilIdle = async (): Promise<void> => {
    for (let seconds = 0; seconds < madeWithinSeconds && isBusy(); seconds++)
      await own.pause(secondMs)
  }
  const send = async (name: string): Promise<string> => {
    const body = { fileUrl: `https://sources.example.com/version-${name}.mp4`, reuse: false }
    return String((await own.expect(202, ['POST', videos, body]))['videoId'])
  }
  const read = async (id: string) => own.expect(200, ['GET', `${videos}/${id}`])
  await untilIdle()
  if (isBusy()) return
  for (const worker of workers) worker.refuseFor(refusedMs)
  const first = await send('first')
  await own.pause(secondAfterMs)
  const second = await send('second')
  await own.pause(patienceMs - secondAfterMs)
  own.same('a video that is refused for half an hour', (await read(first))['status'], 'failed')
  own.same('one that is refused since a while', (await read(second))['status'], 'queued')
  await own.pause(refusedMs - patienceMs)
  await untilIdle()
  own.same('whether all have ended', isBusy(), false)
}
