import { isTerminal } from '../../../worker/contract/video/video-state.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { attemptsOf, historyOf, type FoundRun } from './found-run.ts'
import type { Scenario } from './scenarios.ts'
import type { World } from './world.ts'

type Video = NonNullable<FoundRun['video']>

/** Everything that is wrong after one run, in words; empty if all promises were kept. */
export async function findBroken(world: World, scenario: Scenario): Promise<string[]> {
  const { found, user } = world
  const told = user.accepted?.json['videoId']
  if (typeof told !== 'string') return ['no 202']
  const broken = [...(await judgeHistory(told, scenario)), ...judgeEvent(world, scenario, told)]
  if (scenario.then === 'deletes') {
    if (found.video) broken.push('still there after its deletion')
  } else if (found.video) {
    broken.push(...(await judgeRows(found.video, world, told)))
  } else {
    broken.push('no video')
  }
  if (found.videos.length > 1) broken.push(`${found.videos.length} videos of one request`)
  for (const agent of world.agents) {
    if (!(await agent.isUnwanted())) broken.push('a media worker is not told to stop')
  }
  return broken
}

async function judgeRows(video: Video, { found, user }: World, told: string): Promise<string[]> {
  const { job } = found
  if (!job) return ['no job']
  const broken: string[] = []
  if (told !== video.id) broken.push('the client was told of another video')
  if (!isTerminal(video.status)) broken.push(`a 202 that never ended: ${video.status}`)
  if (user.last?.status === 200 && video.status !== 'canceled')
    broken.push('a cancel that was answered 200 did not hold')
  const open = (await attemptsOf(job.id)).filter(({ outcome }) => outcome === null)
  if (open.length > 0) broken.push(`${open.length} attempts without an end`)
  if (job.finishedAt !== video.finishedAt) broken.push('the job did not end with its video')
  return broken
}

async function judgeHistory(videoId: string, { ends: wanted }: Scenario): Promise<string[]> {
  const history = await historyOf(videoId)
  const broken: string[] = []
  const ends = history.filter(({ was, becomes }) => was !== becomes && isEnd(becomes))
  if (ends.length !== 1) broken.push(`${ends.length} terminal transitions`)
  const became = ends.map(({ becomes }) => becomes).join()
  if (became !== wanted) broken.push(`ended ${became}, not ${wanted}`)
  if (history.some(({ progress, becomes }) => progress >= 100 && becomes !== 'succeeded')) {
    broken.push('100 % before it had succeeded')
  }
  return broken
}

function isEnd(status: string): boolean {
  return ['succeeded', 'failed', 'canceled'].includes(status)
}

function judgeEvent({ found, received }: World, scenario: Scenario, videoId: string): string[] {
  const [first] = found.events
  if (!first || found.events.length !== 1) return [`${found.events.length} events`]
  const { event, delivery } = first
  const broken: string[] = []
  if (event.videoId !== videoId) broken.push('an event of another video')
  if (event.type !== `video.${scenario.ends}`) broken.push(`an event ${event.type}`)
  if (found.video && found.video.terminalEventId !== event.id) broken.push('an event of no end')
  if (delivery?.status !== scenario.delivery) broken.push(`a delivery ${delivery?.status}`)
  const attempts = delivery?.attemptCount ?? 0
  if (attempts < scenario.receiver.length) broken.push(`given up after ${attempts} attempts`)
  const ids = new Set(received.map(({ headers }) => headers.get('webhook-id')))
  if ([...ids].join() !== event.id) broken.push(`received as ${[...ids].join()}, not ${event.id}`)
  if (received.some(({ body }) => body !== event.body)) broken.push('received another body')
  return broken
}

/** Every object in the bucket that no row refers to, after the sweep has had a day. */
export async function findOrphans(): Promise<string[]> {
  const referred = await bindings.DB.prepare(
    "SELECT id, coalesce(result, '') || coalesce(source, '') AS text FROM videos",
  ).all<{ id: string; text: string }>()
  const known = referred.results.map(({ text }) => text).join()
  const ids = new Set(referred.results.map(({ id }) => id))
  const orphans: string[] = []
  let cursor: string | undefined
  do {
    const page: R2Objects = await bindings.BUCKET.list(cursor === undefined ? {} : { cursor })
    for (const { key } of page.objects) {
      const [folder, id = key] = key.split('/')
      // A trace goes with its video, also that of an attempt whose end was never written.
      const isReferred =
        folder === 'traces' ? ids.has(id) : known.includes(key) || known.includes(id)
      if (!isReferred) orphans.push(key)
    }
    cursor = page.truncated ? page.cursor : undefined
  } while (cursor !== undefined)
  return orphans
}
