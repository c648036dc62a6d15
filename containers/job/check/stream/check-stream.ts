import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from '../../../../worker/contract/job/check.ts'
import type { StreamPlan } from '../../../render/output/stream-files.ts'
import type { Video } from '../../../timeline/finished-video.ts'
import { planWith, type Planned } from '../../plan/plan-job.ts'
import { checkFilm } from '../check-film.ts'
import { failed, failedAt, say } from '../check-tables.ts'
import { checkSoundFile, readSound } from '../files/check-sound-file.ts'
import type { ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import type { Rung } from '../../../render/output/ladder.ts'
import type { Fragment } from '../../../render/output/read-fragments.ts'
import { lookAtAll } from '../look-at-film.ts'
import { faultAt } from '../shown/check-shown.ts'
import { gridFor, picturesOn } from '../shown/picture-grid.ts'
import type { Size } from '../../../../worker/contract/layout/element-layout.ts'

type MadeStream = {
  /** The largest size, as a film without sound. */
  readonly film: Video
  readonly sizes: readonly StreamSize[]
  readonly sound: NamedList | undefined
}

/** A file and the playlist that says where its segments lie. */
type NamedList = { readonly name: string; readonly list: string }

/** A sound may be one packet longer than its pictures. */
const mostOff = 0.12

/**
 * Checks the largest size of a stream as a film, its sound, the key pictures of the other sizes against those of the
 * largest, and the playlists.
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
  const heard = await checkSoundFile(planned, { ...file, is: await readSound(tools, file) })
  // Faults that no check of the pictures has reported already.
  const own: readonly Check['name'][] = ['silence', 'loudness']
  const told = heard.filter(({ name, result }) => own.includes(name) || result !== 'passed')
  return [...pictures, ...told]
}

/** Checks that all sizes are divided alike: players switch from one size to another between two segments. */
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
  listed: readonly NamedList[],
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

/** One of the sizes of a stream. */
type StreamSize = {
  readonly name: string
  readonly list: string
  readonly rung: Rung
  /** The codec as the file names it: `avc1.64001f`. */
  readonly codec: string
  /** The stored size of its pictures. */
  readonly stored: Size
  readonly fragments: readonly Fragment[]
}

/** Whether all sizes show what the largest shows, at the beginning of each segment. */
export async function compareSizes(
  tools: ToolContext,
  sizes: readonly StreamSize[],
): Promise<Check[]> {
  const other = sizes.find(
    ({ stored, rung }) => stored.width !== rung.width || stored.height !== rung.height,
  )
  if (other) {
    const [is, due] = [other.stored, other.rung].map(({ width, height }) => `${width} × ${height}`)
    return [failed('size', `Pictures of one of its sizes have ${is} pixels; ${due} were planned.`)]
  }
  const [largest, ...others] = sizes
  if (!largest || others.length === 0) return []
  const isMixed = others.some(({ codec }) => profileOf(codec) !== profileOf(largest.codec))
  const mixed = isMixed ? [failed('playback', 'Its sizes are stored in different profiles.')] : []
  return [...mixed, ...(await compareKeys(tools, largest, others))]
}

/** Compares the key pictures of the other sizes with those of the largest. */
async function compareKeys(
  tools: ToolContext,
  largest: StreamSize,
  others: readonly StreamSize[],
): Promise<Check[]> {
  const grid = gridFor((others.at(-1) ?? largest).rung)
  const looks = [largest, ...others].map(({ name }) => {
    return { kind: 'keys', input: { name, demuxer: 'mov' }, index: 0, grid } as const
  })
  const { seen, complaint } = await lookAtAll(tools, looks, 'sizes')
  if (complaint !== undefined)
    return [failed('decoding', `The decoder complains about one of its sizes: ${complaint}`)]
  const [planned = [], ...made] = seen.map((bytes) => picturesOn(grid, bytes))
  return others.flatMap(({ rung, fragments }, i) => {
    const film = made[i] ?? []
    const what = `Its pictures of ${rung.width} × ${rung.height}`
    if (film.length !== planned.length)
      return [failed('decoding', `${what} cannot all be decoded.`)]
    const faults = film.map((one, k) => {
      const own = planned[k]
      return own && faultAt({ grid, film: [one], planned: [own] })
    })
    const place = faults.findIndex((fault) => fault)
    const fault = faults[place]
    if (!fault) return []
    const message = `${what} are not those of its largest size: ${fault.what.toLowerCase()}`
    if (faults.every((one) => one?.isGross)) return [failed('pictures', `${message}.`)]
    const at = fragments.slice(0, place).reduce((sum, { seconds }) => sum + seconds, 0)
    return [failedAt('pictures', `${message}, at ${say(at)} s.`, at)]
  })
}

function profileOf(codec: string): string {
  return codec.slice(0, 'avc1.64'.length)
}

/** The fault of a playlist: players show what it says, whatever the file contains. */
export async function faultOfPlaylist(
  folder: string,
  { name, list, due }: NamedList & { readonly due: number },
): Promise<string | undefined> {
  const text = await readFile(path.join(folder, list), 'utf8')
  const { size } = await stat(path.join(folder, name))
  const numbers = (pattern: RegExp): number[][] =>
    [...text.matchAll(pattern)].map((found) => found.slice(1).map(Number))
  const seconds = numbers(/^#EXTINF:([\d.]+)/gm).flat()
  const ranges = numbers(/^#EXT-X-BYTERANGE:(\d+)@(\d+)/gm)
  const [[headBytes = 0] = []] = numbers(/^#EXT-X-MAP:.*BYTERANGE="(\d+)@0"/gm)
  if (!text.includes('#EXT-X-ENDLIST') || seconds.length !== ranges.length) {
    return 'One of its playlists is not whole.'
  }
  const all = seconds.reduce((sum, one) => sum + one, 0)
  if (Math.abs(all - due) > mostOff) {
    return `One of its playlists lasts ${say(all)} s; ${say(due)} s were planned.`
  }
  let end = headBytes
  for (const [bytes = 0, from = 0] of ranges) {
    if (from !== end) return `One of its playlists leaves out bytes ${end} to ${from} of its film.`
    end = from + bytes
  }
  return end > size ? 'One of its playlists names bytes that its film does not have.' : undefined
}
