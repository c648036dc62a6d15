import { longFilm } from '../../actors/media/told-of-work.ts'
import type { Plainly } from './plain-parts.ts'

const videos = '/v1/videos'
const minuteMs = 60_000
/** A little longer than a job waits, as documented, for a media worker that understands it. */
const patienceMs = 32 * minuteMs
const secondAfterMs = 15 * minuteMs
/** By then the first job has failed, and the second has not. */
const refusedMs = patienceMs + 5 * minuteMs
/** Longer than any of the jobs takes. */
const madeWithinSeconds = 7_200
const secondMs = 1_000
/** Longer than a refused job lets others pass, and shorter than a job may wait while a slot is free. */
const passedMs = 90_000
/** Longer than a container takes to start, and as long as a slot may be free. */
const begunMs = 40_000
const newer = 'newer-film'

type Sending = {
  send: (name: string) => Promise<string>
  read: (id: string) => Promise<Record<string, unknown>>
  /** Whether no work is left. */
  isIdle: () => Promise<boolean>
}

/** Media workers have another version than the service: none of them, all of them, or one. */
export async function judgeVersions(parts: Plainly): Promise<void> {
  const { own, containers, database } = parts
  const isBusy = (): boolean =>
    database.read("SELECT id FROM videos WHERE status IN ('queued', 'running')").length > 0
  const isIdle = async (): Promise<boolean> => {
    for (let seconds = 0; seconds < madeWithinSeconds && isBusy(); seconds++)
      await own.pause(secondMs)
    return !isBusy()
  }
  const send = async (name: string): Promise<string> => {
    const body = { fileUrl: `https://sources.example.com/version-${name}.mp4`, reuse: false }
    return String((await own.expect(202, ['POST', videos, body]))['videoId'])
  }
  const read = async (id: string) => own.expect(200, ['GET', `${videos}/${id}`])
  const sending = { send, read, isIdle }
  const judges = containers ? [judgeOlder, judgeMute] : [judgeNewer, judgeOne, judgeAll]
  for (const judge of judges) if (await isIdle()) await judge(parts, sending)
}

/** A container with an older image is replaced. */
async function judgeOlder({ own, containers }: Plainly, { send, read }: Sending): Promise<void> {
  if (containers) containers.nextIsOlder = true
  const replaced = await send('replaced')
  await own.pause(passedMs)
  own.same('whether a job waits for an older container', isQueued(await read(replaced)), false)
}

/** A container that takes connections before it can answer has its job as soon as it does. */
async function judgeMute({ own, containers }: Plainly, { send, read }: Sending): Promise<void> {
  if (containers) containers.nextIsMute = true
  const mute = await send('mute')
  await own.pause(begunMs)
  own.same('whether a job waits for a mute container', isQueued(await read(mute)), false)
}

/** Jobs that no media worker understands let others pass. */
async function judgeNewer(parts: Plainly, { send, read }: Sending): Promise<void> {
  const { own, slots, workers } = parts
  for (const worker of workers) worker.answers.set(newer, 400)
  for (let i = 0; i <= slots; i++) await send(`${newer}-${i}`)
  const known = await send('known')
  await own.pause(passedMs)
  own.same('whether a job waits behind others that are refused', isQueued(await read(known)), false)
  for (const worker of workers) worker.answers.delete(newer)
}

/** A job that one media worker refuses waits for one that understands it. */
async function judgeOne(parts: Plainly, { send }: Sending): Promise<void> {
  const { own, database, deployment, slots, workers } = parts
  workers[0]?.refuseFor(passedMs)
  const long: string[] = []
  for (let i = 0; i <= slots; i++) long.push(await send(`${longFilm}-${i}`))
  await own.pause(passedMs / 2)
  const refused = long.filter((videoId) => {
    const [job] = database.read<{ id: string }>('SELECT id FROM jobs WHERE video_id = ?', videoId)
    const run = deployment.storageOf('JOB_RUNNER', job?.id ?? '')?.kv.get('run')
    return (run as { refusedSince?: number } | undefined)?.refusedSince !== undefined
  })
  own.same('what is called refused while a media worker understands it', refused, [])
}

/** While every media worker has another version, a job waits for half an hour and then fails. A later one is made. */
async function judgeAll(parts: Plainly, { send, read, isIdle }: Sending): Promise<void> {
  const { own, workers } = parts
  for (const worker of workers) worker.refuseFor(refusedMs)
  const first = await send('first')
  await own.pause(secondAfterMs)
  const second = await send('second')
  await own.pause(patienceMs - secondAfterMs)
  own.same('a video that is refused for half an hour', (await read(first))['status'], 'failed')
  own.same('one that is refused since a while', isQueued(await read(second)), true)
  await own.pause(refusedMs - patienceMs)
  own.same('whether all have ended', await isIdle(), true)
}

function isQueued({ status }: Record<string, unknown>): boolean {
  return status === 'queued'
}
