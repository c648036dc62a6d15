import { endlessFilm, longFilm } from '../../actors/media/told-of-work.ts'
import type { Plainly } from './plain-parts.ts'

type Insight = { status: string; progress: number }
type Heard = {
  percent: number
  left?: unknown
  shownAt: number
  insights: { transcript?: Insight; analysis?: Insight }
}
type Shown = Partial<Record<'transcript' | 'analysis', Insight>> & {
  videoId?: string
  status: string
  progressPercent: number
  secondsLeft?: number
  lastUpdatedAt: string
}

const startedWithinSeconds = 7_200
const stepSeconds = 5
/** An object that is moved at that moment is not asked again: the row is shown. */
const tries = 3

/** While a video is at work, all that tells of it tells at least as much as its job has heard before it was asked. */
export async function judgeAtWork({ own, database, deployment }: Plainly): Promise<void> {
  const fileUrl = `https://sources.example.com/${longFilm}-at-work.mp4`
  const wish = { fileUrl, reuse: false, enableTranscription: true, enableAiAnalysis: true }
  const made = await own.expect(202, ['POST', '/v1/videos', wish])
  const [videoId = '', jobId = ''] = [made['videoId'], made['jobId']].map(String)
  const heardNow = (): Heard | undefined => {
    const run = deployment.storageOf('JOB_RUNNER', jobId)?.kv.get('run')
    return (run as { running?: Heard } | undefined)?.running
  }
  const isOver = (): boolean =>
    database.read('SELECT 1 FROM videos WHERE id = ? AND finished_at > 0', videoId).length > 0
  const read = async (path: string) => own.expect(200, ['GET', path])
  const ways: Record<string, () => Promise<unknown>> = {
    'its record': async () => read(`/v1/videos/${videoId}`),
    'its job': async () => read(`/v1/jobs/${jobId}`),
    'its list': async () => {
      const { data } = await read('/v1/videos?status=running')
      return (data as Shown[]).find((one) => one.videoId === videoId)
    },
  }
  for (let seconds = 0; seconds < startedWithinSeconds && !isOver(); seconds += stepSeconds) {
    await own.pause(stepSeconds * 1_000)
    for (const [name, ask] of Object.entries(ways)) {
      const heard = heardNow()
      if (!heard || heard.percent < 1) continue
      let lacks: string | undefined
      for (let asked = 0; asked < tries && !isOver(); asked++) {
        const shown = (await ask()) as Shown | undefined
        lacks = shown && whatIsOlder(shown, heard)
        if (lacks === undefined) break
      }
      if (!isOver())
        own.same(`what ${name} tells later than its job has heard it`, lacks, undefined)
    }
  }
}

/** A job tells neither the time that is left nor what is heard and seen in a film. */
function whatIsOlder(shown: Shown, heard: Heard): string | undefined {
  const { progressPercent, lastUpdatedAt, secondsLeft, videoId, status } = shown
  // It has gone back into the line.
  if (status !== 'running') return undefined
  if (progressPercent < Math.floor(heard.percent)) return 'how far it is'
  if (Date.parse(lastUpdatedAt) < heard.shownAt) return 'when it has changed'
  if (videoId === undefined || !('videoName' in shown)) return undefined
  if (heard.left && secondsLeft === undefined) return 'the time that is left'
  for (const name of ['transcript', 'analysis'] as const) {
    const { status: told, progress = 0 } = heard.insights[name] ?? {}
    if (told === 'processing' && (shown[name]?.progress ?? 0) < Math.floor(progress)) return name
  }
  return undefined
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

const secondMs = 1_000
const idleWithinSeconds = 7_200
/** Longer than it takes to find out that no slot is free. */
const enteredSeconds = 5
/** Longer than a container takes to start, but shorter than an object stays in memory that is called again and again. */
const begunWithinSeconds = 30

/** A job whose cancel has failed goes on as if nobody had asked for it, and begins when a slot falls free. */
export async function judgeFailedCancel({ own, database, deployment, world, slots }: Plainly) {
  const until = async (isSo: () => boolean, most: number): Promise<void> => {
    for (let seconds = 0; seconds < most && !isSo(); seconds++) await own.pause(secondMs)
  }
  const isBusy = (): boolean =>
    database.read("SELECT id FROM videos WHERE status IN ('queued', 'running')").length > 0
  const statusOf = (id = ''): unknown =>
    database.read('SELECT status FROM videos WHERE id = ?', id)[0]?.['status']
  await until(() => !isBusy(), idleWithinSeconds)
  const ids: string[] = []
  for (let i = 0; i <= slots; i++) {
    const fileUrl = `https://sources.example.com/${endlessFilm}-kept-${i}.mp4`
    const made = await own.expect(202, ['POST', '/v1/videos', { fileUrl, reuse: false }])
    ids.push(String(made['videoId']))
    if (i === slots - 1)
      await until(() => ids.every((id) => statusOf(id) === 'running'), begunWithinSeconds)
  }
  const [first, last] = [ids[0], ids.at(-1)]
  await until(() => false, enteredSeconds)
  const cancel = async (id = '') => own.ask(['POST', `/v1/videos/${id}/cancel`, {}])
  const isFull = statusOf(first) === 'running' && statusOf(last) === 'queued'
  if (isFull) {
    world.faults.noteHarm()
    deployment.objects.JOB_RUNNER.meet('cancel', async () => {
      database.refuses = 'videos'
    })
    const refused = await cancel(last)
    database.refuses = undefined
    own.same('a cancel that the database does not answer', refused?.status, 500)
    await cancel(first)
    await until(() => statusOf(last) !== 'queued', begunWithinSeconds)
    own.same('a job of which a cancel has failed', statusOf(last), 'running')
  }
  for (const id of ids) await cancel(id)
}
