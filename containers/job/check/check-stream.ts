import type { Check } from '../../../worker/contract/job/check.ts'
import type { StreamPlan } from '../../render/output/stream-files.ts'
import type { Video } from '../../timeline/finished-video.ts'
import { planWith, type Planned } from '../plan/plan-job.ts'
import { checkFilm } from './check-film.ts'
import { checkSoundFile } from './check-files.ts'
import { failed, say } from './check-tables.ts'

type MadeStream = {
  /** The largest size, which is a film without a sound. */
  readonly film: Video
  readonly soundName: string | undefined
  /** How long the segments of each size last together. */
  readonly lengths: readonly number[]
}

const mostOff = 0.12

/** Looks at the largest size of a stream as at a film, at its sound, and at how long each size is. */
export async function checkStream(
  planned: Omit<Planned, 'plan'>,
  stream: StreamPlan,
  { film, soundName, lengths }: MadeStream,
): Promise<Check[]> {
  const { durationSeconds, fps, warnings, rungs } = stream
  const [{ width, height }] = rungs
  const plan = {
    ...planWith(planned, { copying: { forbidden: 'a stream is encoded' } }),
    ...({ video: 'encode', audio: 'none', format: 'mp4', codec: 'h264' } as const),
    ...{ cutting: undefined, row: undefined, tracks: [], hasConstantRate: true },
    ...{ width, height, averageFps: fps, frameRate: { frames: fps, seconds: 1 } },
    ...{ durationSeconds, warnings },
  }
  const checks = await checkFilm({ ...planned, plan }, { ...film, plan }, durationSeconds)
  const short = lengths.find((seconds) => Math.abs(seconds - durationSeconds) > mostOff)
  const length = `One of its sizes lasts ${say(short ?? 0)} s; ${say(durationSeconds)} s were planned.`
  const pictures = checks.map((one) =>
    one.name === 'length' && one.result === 'passed' && short !== undefined
      ? failed('length', length)
      : one,
  )
  if (soundName === undefined) return pictures
  const from = plan.excerpt?.start ?? 0
  const sound = { name: soundName, demuxer: 'mov', codec: 'aac', plan: stream, from }
  const heard = await checkSoundFile(planned, sound)
  return [...pictures, ...heard.filter(({ name, result }) => isOwn(name) || result !== 'passed')]
}

/** What no check of the pictures has told already. */
function isOwn(name: Check['name']): boolean {
  return name === 'silence' || name === 'loudness'
}
