import path from 'node:path'
import type { Check } from '../../../worker/contract/job/check.ts'
import { readTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { guardedInput } from '../../graph/compile-args.ts'
import type { Cut } from '../cut/cut-footage.ts'
import type { OutputFile } from '../render/finish-output.ts'
import { checkSound, measuresLoudness } from './check-sound.ts'
import { checkDecoded, failed, passed, say } from './check-tables.ts'
import { isIndexFirst } from './film-tables.ts'
import { lookAtAll, mostSoundSeconds, picturesIn, type Look } from './look-at-film.ts'
import { readWebp } from './read-webp.ts'
import { levelsOf, levelsPerSecond } from './loudness-over-time.ts'
import { wantedSound, type SoundLooked } from './wanted-sound.ts'

/** A file of sound alone, as it was planned. */
type SoundFile = {
  readonly name: string
  /** Its demuxer, and the codec that players expect in it. */
  readonly demuxer: string
  readonly codec: string
  readonly plan: {
    readonly durationSeconds: number
    readonly channels: number
    readonly warnings: readonly string[]
  }
  /** The second of the film with which it begins. */
  readonly from: number
}

const soundTolerance = 0.12

/** Looks at all of a sound: how long it is, whether it decodes, whether it is heard where and as loud as it has to be. */
export async function checkSoundFile(cut: Cut, file: SoundFile): Promise<Check[]> {
  const { name, demuxer, plan, from } = file
  const { durationSeconds } = plan
  const shown = {
    ...plan,
    audio: 'encode',
    excerpt: { start: from },
    sound: cut.sound ?? null,
  } as const
  const looked: SoundLooked = { planned: cut, film: { plan: shown, facts: { durationSeconds } } }
  const { tools } = cut.context
  const is = await readSound(tools, file)
  const own = { input: { name, demuxer }, index: 'a:0' } as const
  const parts = wantedSound(looked)
  const wanted = (parts ?? []).flatMap(({ look }) => look ?? [])
  const looks: Look[] = [{ kind: 'sound', ...own, channels: is.channels }]
  for (const look of wanted) looks.push({ kind: 'sound', ...look })
  if (measuresLoudness(looked)) looks.push({ kind: 'loudness', ...own })
  const { seen, complaint } = await lookAtAll(tools, looks, 'look')
  const [made = Buffer.alloc(0)] = seen
  const seconds = levelsOf(made).length / levelsPerSecond
  const found = checkSound(looked, {
    ...{ made, parts, bytesOf: (look) => seen[wanted.indexOf(look) + 1] },
    meter: seen[wanted.length + 1]?.toString('latin1'),
    channels: { due: plan.channels, made: is.channels },
  })
  const off = Math.min(durationSeconds, mostSoundSeconds) - seconds
  return [
    Math.abs(off) > soundTolerance
      ? failed('length', `It lasts ${say(seconds)} s; ${say(durationSeconds)} s were planned.`)
      : passed('length', `It lasts ${say(seconds)} s, as planned.`),
    checkDecoded(complaint),
    // It has no picture that it could be in time with.
    ...found.filter(({ name: of, result }) => of !== 'sync' || result !== 'passed'),
    await checkSoundPlayback(tools, file, is.codec),
  ]
}

async function readSound(tools: ToolContext, { name, demuxer }: SoundFile) {
  const entries = ['-select_streams', 'a:0', '-show_entries', 'stream=codec_name,channels']
  const asked = ['-v', 'error', ...entries, '-of', 'csv=p=0', ...guardedInput(name, demuxer)]
  const { stdout } = await readTool(tools, 'ffprobe', asked)
  const [codec = '', channels] = stdout.trim().split(',')
  return { codec, channels: Number(channels) }
}

async function checkSoundPlayback(
  tools: ToolContext,
  { name, demuxer, codec }: SoundFile,
  is: string,
): Promise<Check> {
  if (is !== codec) return failed('playback', `Its sound is ${is}, not ${codec}.`)
  if (demuxer === 'mov' && !(await isIndexFirst(path.join(tools.folder, name)))) {
    return failed(
      'playback',
      'Its index stands behind its sound, so it plays only once it is loaded.',
    )
  }
  return passed('playback', `Browsers play ${codec} as it is here.`)
}

export const pictureDemuxers: Readonly<Record<string, string>> = {
  ...{ jpg: 'jpeg_pipe', png: 'png_pipe', gif: 'gif' },
}
export const mostPictures = 4

type Planned = {
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** Of pictures that move. */
  readonly duration?: number | undefined
}

/**
 * Whether some of the pictures of an output decode, are as large as planned, and last as long. Nothing here decodes moving WebP, so
 * of that the frames are counted that are stored in it; where all are the same, it is a single picture without a length.
 */
export async function checkPictureFiles(
  tools: ToolContext,
  files: readonly OutputFile[],
  planned: Planned,
): Promise<Check[]> {
  const some = [...new Map(files.map((one) => [one.file, one])).values()]
    .flatMap(({ file, extension }) => {
      const demuxer = pictureDemuxers[extension]
      return demuxer === undefined ? [] : [{ name: file, demuxer }]
    })
    .slice(0, mostPictures)
  const moving = files.find(({ extension }) => extension === 'webp')
  if (moving) return checkWebp(path.join(tools.folder, moving.file), planned)
  if (some.length === 0) return []
  const looks = some.map((input): Look => ({
    kind: 'pictures',
    input,
    index: 0,
    count: mostFrames,
  }))
  const { seen, complaint } = await lookAtAll(tools, looks, 'look')
  const isWhole = seen.every((bytes) => picturesIn(bytes).length > 0)
  const sizes = await Promise.all(some.map(async (one) => readHead(tools, one)))
  return [
    checkPictureLength(sizes, planned),
    isWhole
      ? checkDecoded(complaint)
      : failed('decoding', 'One of its pictures cannot be decoded.'),
  ]
}

async function checkWebp(file: string, planned: Planned): Promise<Check[]> {
  const head = await readWebp(file)
  if (!head) return [failed('decoding', 'Its frames are not stored in whole.')]
  return [checkPictureLength([head], planned), checkDecoded(undefined)]
}

const mostFrames = 100_000
type Head = { readonly width: number; readonly height: number; readonly seconds: number }

async function readHead(
  tools: ToolContext,
  { name, demuxer }: { name: string; demuxer: string },
): Promise<Head> {
  const entries = ['-show_entries', 'stream=width,height:format=duration', '-of', 'json']
  const asked = ['-v', 'error', ...entries, ...guardedInput(name, demuxer)]
  const { stdout } = await readTool(tools, 'ffprobe', asked)
  const { streams, format } = JSON.parse(stdout) as {
    streams?: { width?: number; height?: number }[]
    format?: { duration?: string }
  }
  const { width = 0, height = 0 } = streams?.[0] ?? {}
  return { width, height, seconds: Number(format?.duration) }
}

function checkPictureLength(heads: readonly Head[], planned: Planned): Check {
  const name = 'length'
  const { width, height, duration } = planned
  const other = heads.find(
    (one) => width !== undefined && (one.width !== width || one.height !== height),
  )
  if (other) {
    const sizes = [`${other.width} × ${other.height}`, `${width} × ${height ?? 0}`]
    return failed(name, `A picture has ${sizes[0]} pixels; ${sizes[1]} were planned.`)
  }
  const [first] = heads
  if (duration === undefined || !first || Number.isNaN(first.seconds)) {
    return passed(name, 'Its pictures have the size that was planned.')
  }
  // A picture at a usual rate; what moves slower than that has a longer last picture.
  const off = Math.abs(first.seconds - duration)
  if (off > Math.max(mostOff.seconds, mostOff.share * duration)) {
    return failed(name, `It lasts ${say(first.seconds)} s; ${say(duration)} s were planned.`)
  }
  return passed(name, `It lasts ${say(first.seconds)} s, as planned.`)
}

/** GIF counts in hundredths of a second, so that its rate is not quite that of the film. */
const mostOff = { seconds: 0.25, share: 0.1 } as const
