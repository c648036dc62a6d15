import { withinMs } from '../../contract/within-ms.ts'
import type { ShownPlace } from '../../service/videos/describe-video.ts'
import { dispatcher, type QueuePlace } from '../../service/line/dispatching.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'
import { describeError, log } from '../../service/log.ts'
import type { Env } from '../../settings.ts'

/** A reader waits for the place of a job no longer than this. */
const answerMs = 1_000
/** Many readers of one waiting video ask the dispatcher once. */
const freshMs = 2_000
const mostKept = 10_000
const kept = isolateMemory(
  () => new Map<string, { place: Promise<ShownPlace | undefined>; askedAt: number }>(),
)

type PlaceRow = { status: string; jobId: string }

/** Where the job of a queued video stands in line; undefined for any other, and while that is unknown. */
export async function placeInLine(env: Env, row: PlaceRow): Promise<ShownPlace | undefined> {
  return (await placesInLine(env, [row])).get(row.jobId)
}

/** The same for a page of videos: one question for all whose place was not asked just before. */
export async function placesInLine(
  env: Env,
  rows: readonly PlaceRow[],
): Promise<ReadonlyMap<string, ShownPlace>> {
  const queued = rows.filter(({ status }) => status === 'queued').map(({ jobId }) => jobId)
  const now = Date.now()
  const { current } = kept
  const isFresh = (jobId: string) => now < (current.get(jobId)?.askedAt ?? -Infinity) + freshMs
  const due = queued.filter((jobId) => !isFresh(jobId))
  if (current.size + due.length > mostKept) current.clear()
  if (due.length > 0) {
    const asked = ask(env, due, now)
    for (const jobId of due) {
      current.set(jobId, { place: asked.then((all) => all.get(jobId)), askedAt: now })
    }
  }
  const places = await Promise.all(
    queued.map(async (jobId) => [jobId, await current.get(jobId)?.place] as const),
  )
  return new Map(places.flatMap(([jobId, place]) => (place ? [[jobId, place]] : [])))
}

async function ask(
  env: Env,
  jobIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, ShownPlace>> {
  try {
    const places = await withinMs(answerMs, dispatcher(env).placesOf([...jobIds]))
    return new Map(
      places.flatMap((place, i) => {
        const jobId = jobIds[i]
        return place && jobId !== undefined ? [[jobId, shownAt(place, now)]] : []
      }),
    )
  } catch (error) {
    const [jobId] = jobIds
    log('warn', 'the dispatcher did not tell a place in line', { jobId, ...describeError(error) })
    return new Map()
  }
}

function shownAt({ position, startsInMs, left }: QueuePlace, now: number): ShownPlace {
  return {
    position,
    startsAt: startsInMs === undefined ? undefined : now + startsInMs,
    left: left && { ...left, at: now },
  }
}
