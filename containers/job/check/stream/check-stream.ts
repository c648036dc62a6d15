import type { Check } from '../../../../worker/contract/job/check.ts'
import type { StreamPlan } from '../../../render/output/stream-files.ts'
import type { Video } from '../../../timeline/finished-video.ts'
import { planWith, type Planned } from '../../plan/plan-job.ts'
import { checkFilm } from '../check-film.ts'
import { failed, say } from '../check-tables.ts'
import { checkSoundFile } from '../files/check-sound-file.ts'
import { faultOfPlaylist } from './check-playlist.ts'
import { compareSizes, type StreamSize } from './compare-sizes.ts'

type MadeStream = {
  /** The largest size, which is a film without a sound. */
  readonly film: Video
  readonly sizes: readonly StreamSize[]
  readonly sound: Listed | undefined
}

/** A file and the playlist that says where its segments lie. */
type Listed = { readonly name: string; readonly list: string }

const mostOff = 0.12

/**
 * Looks at the largest size of a stream as at a film, at its sound, at the key pictures of the other sizes beside those of the
 * largest, and at what its playlists say.
 */
export async function checkStream(
  planned: Omit<Planned, 'plan'>,
  stream: StreamPlan,
  { film, sizes, sound }: MadeStream,
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
  const { tools } = planned.context
  const listed = [...sizes, ...(sound ? [sound] : [])]
  const doubts = [
    ...checkSegments(sizes, durationSeconds),
    ...(await checkPlaylists(tools.folder, listed, durationSeconds)),
    ...(await compareSizes(tools, sizes)),
  ]
  const pictures = checks.map(
    (one) => (one.result === 'passed' && doubts.find(({ name }) => name === one.name)) || one,
  )
  if (sound === undefined) return pictures
  const from = plan.excerpt?.start ?? 0
  const track = stream.files.find(({ rung }) => !rung)?.tracks[0]
  const file = { name: sound.name, demuxer: 'mov', codec: 'aac', plan: { ...stream, track }, from }
  const heard = await checkSoundFile(planned, file)
  return [...pictures, ...heard.filter(({ name, result }) => isOwn(name) || result !== 'passed')]
}

/** What no check of the pictures has told already. */
function isOwn(name: Check['name']): boolean {
  return name === 'silence' || name === 'loudness'
}

/** Players change from one size to another between two segments. */
function checkSegments(sizes: readonly StreamSize[], due: number): Check[] {
  const timesOf = ({ fragments }: StreamSize) =>
    fragments.map(({ seconds }) => Math.round(seconds * 1e6)).join()
  const [largest, ...others] = sizes
  const isOff = largest && others.some((one) => timesOf(one) !== timesOf(largest))
  const short = sizes
    .map(({ fragments }) => fragments.reduce((sum, { seconds }) => sum + seconds, 0))
    .find((seconds) => Math.abs(seconds - due) > mostOff)
  return [
    ...(short === undefined ? [] : [lasts('One of its sizes', short, due)]),
    ...(isOff ? [failed('seams', 'The segments of its sizes begin at different times.')] : []),
  ]
}

async function checkPlaylists(
  folder: string,
  listed: readonly Listed[],
  due: number,
): Promise<Check[]> {
  const all = await Promise.all(
    listed.map(async ({ name, list }) => faultOfPlaylist(folder, { name, list, due })),
  )
  return all.flatMap((fault) => (fault === undefined ? [] : [failed('length', fault)]))
}

function lasts(what: string, seconds: number, due: number): Check {
  return failed('length', `${what} lasts ${say(seconds)} s; ${say(due)} s were planned.`)
}
