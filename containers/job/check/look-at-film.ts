import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { readTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedInput, type ByHand } from '../../graph/compile-args.ts'
import type { InputFile } from '../../graph/filter-graph.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { Looked } from './check-tables.ts'
import type { Grid } from './shown/picture-grid.ts'
import { bytesPerPicture } from './small-pictures.ts'

/** Seconds of a film. */
export type Stretch = { readonly from: number; readonly to: number }

/** The index of a stream, or the first one of sound. */
type StreamIndex = number | 'a:0'

/** One of the readings that a single run of ffmpeg makes for the checks. */
export type Look =
  | {
      readonly kind: 'keys'
      readonly input: LookInput
      readonly index: number
      /** The grid to which pictures are reduced; blocks in RGB if absent. */
      readonly grid?: Grid
    }
  | {
      readonly kind: 'pictures'
      readonly input: LookInput
      readonly index: number
      readonly count: number
      readonly grid?: Grid
    }
  /** Some pictures of an input, mostly of one of which only key pictures are decoded, in RGB of this size or in their own. */
  | {
      readonly kind: 'some'
      readonly input: LookInput
      readonly index: number
      readonly places: readonly number[]
      readonly size?: Grid
    }
  /** Pictures that filters draw without any input. */
  | { readonly kind: 'drawn'; readonly graph: string; readonly count: number }
  /** The first picture, or a few of them, as the decoder gives them. */
  | {
      readonly kind: 'unfiltered'
      readonly input: LookInput
      readonly index: number
      readonly count?: number
      /** Only this one of the pictures of its input. */
      readonly place?: number
    }
  | SoundLook
  | { readonly kind: 'loudness'; readonly input: LookInput; readonly index: StreamIndex }

/** What was read by a look. */
export type BytesOf = (look: Look) => Buffer | undefined

/** A sound, always read as two channels. */
export type SoundLook = {
  readonly kind: 'sound'
  readonly input: LookInput
  readonly index: StreamIndex
  readonly channels: number
}

export type LookInput = {
  readonly name: string
  readonly demuxer: string
  readonly options?: readonly string[]
  /** Where reading starts; at the beginning of the file if absent. */
  readonly from?: number
  /** Whether reading starts at the key picture before that moment. */
  readonly isAtKey?: boolean
  /** Whether only key pictures are decoded. */
  readonly isOnlyKeys?: boolean
  /** Whether the comparison is so close that the hard edges of blocks matter, which are smoothed then as in a player. */
  readonly isClose?: boolean
  /** Whether everything a decoder has to know stands in the index of the file, so that nothing is decoded to find it out. */
  readonly isTold?: boolean
  /** The seconds of the file that the remade pictures of the same run read anyway. */
  readonly within?: Stretch & { readonly file: InputFile }
  /** How many seconds are read: otherwise a run reads and decodes on when no output needs more. */
  readonly seconds?: number
}

export const soundRate = 8_000
/** Longer sounds are not read to their end: they would take more memory than they are worth. */
export const mostSoundSeconds = 3_600
/** By default, the colours of a 4:4:4 picture come out wrong in RGB, by eight steps in the mean. */
export const shrinking = 'flags=area+full_chroma_int,format=rgb24'
const small = `scale=32:18:${shrinking}`
/** Programs that spread one channel over two make it quieter. */
const fromBothSides = 'pan=stereo|c0=c0|c1=c0'
/** Mixes more than two channels into two as loud as in a result; by default, programs make them quieter for integers. */
export const mixedLoud = { rematrix_maxval: 99, internal_sample_fmt: 'fltp' } as const
const mixing = Object.entries(mixedLoud)
  .map(([name, value]) => `:${name}=${value}`)
  .join('')

export type SeenInFilm = {
  readonly seen: readonly Buffer[]
  readonly complaint: string | undefined
}

/**
 * Makes all readings in one run, because starting a program takes as long as most of them. Returns the bytes of each, and
 * what the decoders complained about.
 */
export async function lookAtAll(
  tools: ToolContext,
  looks: readonly Look[],
  stem: string,
): Promise<SeenInFilm> {
  return readLooks(tools, looks, stem, async (byHand) => runLooks(tools, byHand))
}

/** Returns the complaints of the run. */
export async function runLooks(tools: ToolContext, byHand: ByHand): Promise<string | undefined> {
  const { inputs, outputs } = byHand([])
  const args = [...guardedGlobals, '-y', ...inputs, ...outputs]
  const { exitCode, stderrTail } = await readTool(tools, 'ffmpeg', args)
  const complaint = stderrTail.trim()
  return complaint === '' && exitCode === 0 ? undefined : complaint
}

/** How the times of inputs are read: from where each is begun, or as they are stored. */
type Times = 'from each begin' | 'as stored'

/** Reads the output of a run; `run` returns its complaints. */
export async function readLooks(
  { folder }: Pick<ToolContext, 'folder'>,
  looks: readonly Look[],
  stem: string,
  run: (byHand: ByHand) => Promise<string | undefined>,
  times: Times = 'from each begin',
): Promise<SeenInFilm> {
  const fileOf = (i: number): string => `${stem}${i}.raw`
  const byHand: ByHand = (read) => {
    const placeIn = ({ within }: LookInput): number => (within ? read.indexOf(within.file) : -1)
    // An input of several readings is opened and decoded once.
    const all = new Set(looks.flatMap((look) => ('input' in look ? [look.input] : [])))
    const inputs = [...all].filter((input) => placeIn(input) < 0)
    const written = (look: Look, file: string): WrittenLook => {
      if (!('input' in look)) return { input: 0, file, times }
      const place = placeIn(look.input)
      const own = { input: read.length + inputs.indexOf(look.input), file, times }
      return place < 0 ? own : { ...own, input: place, within: look.input.within }
    }
    return {
      inputs: [...oneThread, ...inputs.flatMap((input) => inputOf(input, kindsOf(looks, input)))],
      outputs: looks.flatMap((look, i) => outputOf(look, written(look, fileOf(i)))),
    }
  }
  try {
    const complaint = await run(byHand)
    const seen = await Promise.all(
      looks.map(async (_, i) =>
        readFile(path.join(folder, fileOf(i))).catch(() => Buffer.alloc(0)),
      ),
    )
    return { seen, complaint }
  } finally {
    await Promise.all(looks.map(async (_, i) => rm(path.join(folder, fileOf(i)), { force: true })))
  }
}

/** On a machine of many cores, each filter of a look would start as many threads, for a few small pictures. */
const oneThread = ['-filter_threads', '1'] as const

function kindsOf(looks: readonly Look[], input: LookInput): ReadonlySet<Look['kind']> {
  return new Set(
    looks.flatMap((look) => ('input' in look && look.input === input ? look.kind : [])),
  )
}

function inputOf(input: LookInput, kinds: ReadonlySet<Look['kind']>): string[] {
  const { name, demuxer, from, seconds, isAtKey, isOnlyKeys, options = [] } = input
  const isShown = !input.isClose && (kinds.has('keys') || kinds.has('pictures'))
  return [
    // This option holds for all inputs behind it as well.
    input.isTold ? '-nofind_stream_info' : '-find_stream_info',
    ...['-threads', '1', ...(isOnlyKeys || kinds.has('keys') ? ['-skip_frame:v', 'nokey'] : [])],
    // In pictures this small, hard edges of blocks make no difference.
    ...(isShown ? ['-skip_loop_filter:v', 'all'] : []),
    ...(isAtKey ? ['-noaccurate_seek'] : []),
    ...(from === undefined || from <= 0 ? [] : ['-ss', from.toFixed(6)]),
    ...(seconds === undefined ? [] : ['-t', seconds.toFixed(6)]),
    ...options,
    ...guardedInput(name, demuxer),
  ]
}

/** With fewer bits a pixel, hard edges that are left in carry over from one picture to the next, and grow. */
const fewBits = 0.03

export function inputOfFilm({ film, tables: { beginSeconds } }: Looked) {
  const { name, plan, facts } = film
  const { bitRate = 0, width, height, averageFps } = facts.video
  const isClose = bitRate < fewBits * width * height * averageFps
  // Encoders tell how far they reorder pictures, which many cameras do not. A program that does not look counts times from zero.
  const isTold = plan.video === 'encode' && beginSeconds === 0
  return { name, demuxer: demuxers[facts.format], isClose, isTold }
}

type WrittenLook = {
  readonly input: number
  readonly file: string
  readonly times: Times
  readonly within?: Stretch | undefined
}

/**
 * Writes raw pictures with their number as their time: two times in whole milliseconds may fall on one step of the rate,
 * which programs refuse to write.
 */
export const countedPictures = ['-bsf:v', 'setts=ts=N'] as const

function outputOf(look: Look, { input, file, times, within }: WrittenLook): string[] {
  const raw = (form: string): string[] => ['-f', form, `file:${file}`]
  const rawPictures = [...countedPictures, ...raw('rawvideo')]
  const map = ['-map', `${input}:${'index' in look ? look.index : ''}`]
  const most = ['-t', String(mostSoundSeconds)]
  const only = within ? [`trim=start=${within.from.toFixed(6)}:end=${within.to.toFixed(6)}`] : []
  switch (look.kind) {
    case 'drawn': {
      // The pictures of an input may follow each other faster than those of the film.
      const times = ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000']
      const count = [...times, '-frames:v', String(look.count)]
      return [
        '-filter_complex',
        `${look.graph}[${file}]`,
        '-map',
        `[${file}]`,
        ...count,
        ...rawPictures,
      ]
    }
    case 'some': {
      const shape = look.size ? `,scale=${look.size.width}:${look.size.height}:${shrinking}` : ''
      const filters = ['-vf', `${selected(look.places)}${shape}`, '-fps_mode', 'passthrough']
      return [...map, ...filters, ...rawPictures]
    }
    case 'keys':
    case 'pictures': {
      const { grid } = look
      const shape = grid ? `scale=${grid.width}:${grid.height}:flags=area,format=yuv444p` : small
      const filters = ['-vf', [...only, shape].join(','), '-fps_mode', 'passthrough']
      const count = look.kind === 'keys' ? [] : ['-frames:v', String(look.count)]
      return [...map, ...filters, ...count, ...rawPictures]
    }
    case 'unfiltered': {
      const count = ['-fps_mode', 'passthrough', '-frames:v', String(look.count ?? 1)]
      const chosen = look.place === undefined ? only : [selected([look.place])]
      return [...map, ...chosen.flatMap((one) => ['-vf', one]), ...count, ...rawPictures]
    }
    case 'sound':
      return [...map, '-af', soundFilter(look, times), '-ac', '2', ...most, ...raw('s16le')]
    case 'loudness': {
      const meter = `ebur128=peak=true:metadata=1,ametadata=print:file=${file}`
      return [...map, '-af', meter, ...most, '-f', 'null', '-']
    }
  }
}

function selected(places: readonly number[]): string {
  return `select='${places.map((place) => `eq(n,${place})`).join('+')}'`
}

/** Late sound and gaps become silence. */
function soundFilter({ channels, input }: SoundLook, times: Times): string {
  const { from = 0 } = input
  const begun = times === 'as stored' && from > 0 ? `asetpts=PTS-${from.toFixed(6)}/TB,` : ''
  const heard = `${begun}aresample=${soundRate}:async=1:first_pts=0`
  if (channels === 1) return `${heard},${fromBothSides}`
  return channels === 2 ? heard : heard + mixing
}

/** The pictures of a look, one after the other. */
export function picturesIn(bytes: Buffer | undefined): Buffer[] {
  const count = Math.floor((bytes?.length ?? 0) / bytesPerPicture)
  return Array.from({ length: count }, (_, i) =>
    (bytes ?? Buffer.alloc(0)).subarray(i * bytesPerPicture, (i + 1) * bytesPerPicture),
  )
}
