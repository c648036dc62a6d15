import { rm } from 'node:fs/promises'
import path from 'node:path'
import { measurePacking } from '../../ffmpeg/measure-packing.ts'
import { runGraph } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { readsAlpha } from '../../render/frame/alpha-reading.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { PartRefusal } from '../part-refusal.ts'
import { readFileTables, storedIn } from '../window/file-tables.ts'
import { windowGlobals, windowOf } from '../window/window-of.ts'
import type { FileTables } from '../window/window.ts'
import { cheapSeams, filmPictures, type FilmPictures, momentBefore } from './film-pictures.ts'
import { trackOf } from '../../graph/output-track.ts'

/** How a film is divided. */
export type DividedFilm = {
  readonly stream: Stream<'video'>
  readonly coding: readonly string[]
  readonly tables: FileTables
  readonly pictures: FilmPictures
  /** The colour tags of the whole film. */
  readonly colors: ColorTags
  readonly spans: readonly FrameSpan[]
}

/** `whole`: why the film is not divided, in words for the plan. */
export type PartsChoice = { readonly parts: DividedFilm } | { readonly whole: string }

type PartsWanted = {
  readonly plan: RenderPlan
  readonly clips: readonly Clip[]
  /** False if the request wants the film to be rendered whole. */
  readonly isAllowed: boolean
  /** How many parts can be rendered at the same time, and how many of these have cores of their own. */
  readonly lanes: number
  readonly speed: number
  /** How long the encode of the whole would take here. */
  readonly wholeSeconds: number
}

/** Divides the encode of a film, or says why it stays whole. Reads the tables of its files, and decodes only the first picture. */
export async function planParts(
  tools: ToolContext,
  request: PartsWanted,
): Promise<PartsChoice | undefined> {
  const { plan } = request
  const picture = trackOf(plan.tracks, 'video')
  if (plan.video !== 'encode' || !picture) return undefined
  const stream = picture.stream as Stream<'video'>
  const whole = whyWhole(request, picture.coding, stream)
  if (whole !== undefined) return { whole }
  try {
    const tables = await readFileTables(tools, stream)
    const pictures = filmPictures({ stream, ...plan }, tables)
    const spans = divide(pictures, request, cheapSeams(stream, tables))
    if (spans.length < 2) return { whole: 'it is too short' }
    const colors = await firstColors(tools, stream, pictures, tables)
    return { parts: { stream, coding: picture.coding, tables, pictures, colors, spans } }
  } catch (error) {
    if (error instanceof PartRefusal) return { whole: error.message }
    throw error
  }
}

/** Short, because a repeated video is decoded from its start for each part. */
const mostRepeatedSeconds = 240

function whyWhole(
  request: PartsWanted,
  coding: readonly string[],
  stream: Stream<'video'>,
): string | undefined {
  const { plan, clips, isAllowed } = request
  if (!isAllowed) return 'the request asks for it'
  if (request.lanes < 2) return 'no other media worker is free'
  if (gainOf(request) < leastGain) return 'it would hardly be faster in parts'
  if (plan.codec !== 'h264' && plan.codec !== 'vp9') return `parts of ${plan.codec} are not joined`
  if (coding.includes('-maxrate:v')) return 'its size is given'
  if (coding.includes('-pass')) return 'its bytes are shared out over the whole of it'
  if (clips.some(({ facts }) => facts.promisedSeconds !== undefined)) return 'a source is damaged'
  const inputs = storedIn(stream).map(({ from }) => from)
  if (inputs.some(readsAlpha))
    return 'the transparency of its pictures can be read only from the start'
  const isRepeating = inputs.some(
    ({ reading, demuxer }) => reading.includes('-stream_loop') && demuxer !== 'gif',
  )
  if (isRepeating && plan.durationSeconds > mostRepeatedSeconds)
    return 'a video that is repeated on it would be read from its start for each part'
  return undefined
}

/** A film that would gain less stays whole. */
const leastGain = 0.2
/** The time for reading tables, joining and proving, besides starting each part. */
const fixedSeconds = 2
/** How much warming up and seeking add to the work. */
const addedShare = 1.1

/** How much sooner the film would be ready, as a share of the time that it takes as a whole. */
function gainOf({ wholeSeconds, speed }: PartsWanted): number {
  return 1 - (fixedSeconds + (wholeSeconds * addedShare) / speed) / Math.max(wholeSeconds, 0.001)
}

const partSeconds = { least: 8, usual: 15, most: 30 } as const
/** The head of a joined film counts its files in one byte. */
const mostParts = 240
/** How far from its place on the grid a seam may lie if it is cheaper there. */
const seamReachSeconds = 2

/** Long enough that every media worker renders the same number of parts. */
function partLength({ plan: { durationSeconds }, lanes }: PartsWanted): number {
  const rounds = Math.max(1, Math.round(durationSeconds / (partSeconds.usual * lanes)))
  const even = durationSeconds / (lanes * rounds)
  const within = Math.min(partSeconds.most, Math.max(partSeconds.least, even))
  return Math.max(within, durationSeconds / mostParts)
}

function divide(
  { count }: FilmPictures,
  request: PartsWanted,
  seams: readonly number[],
): FrameSpan[] {
  const fps = count / Math.max(request.plan.durationSeconds, 1 / fpsOf(request.plan.frameRate))
  const length = Math.ceil(partLength(request) * fps)
  const reach = Math.min(Math.round(seamReachSeconds * fps), Math.floor(length / 4))
  const number = Math.max(1, Math.round(count / length))
  const starts = Array.from({ length: number }, (_, i) =>
    i === 0 ? 0 : nearest(seams, Math.round((i * count) / number), reach),
  )
  return starts.map((from, i) => ({ from, to: starts[i + 1] ?? count }))
}

/** The seam nearest to a place on the grid, or the place itself. */
function nearest(seams: readonly number[], place: number, reach: number): number {
  return seams.reduce((best, seam) => {
    const isNearer = best === place || Math.abs(seam - place) < Math.abs(best - place)
    return Math.abs(seam - place) <= reach && isNearer ? seam : best
  }, place)
}

/** Arguments of `setparams`. */
type ColorTags = Readonly<Record<'color_primaries' | 'color_trc' | 'colorspace', string>>

const name = 'parts-first.mp4'

/**
 * The colours that a film declares, which encoders take from its first picture. A part may begin where another clip declares
 * others.
 */
async function firstColors(
  tools: ToolContext,
  stream: Stream<'video'>,
  pictures: FilmPictures,
  tables: FileTables,
): Promise<ColorTags> {
  const window = { from: Number.NEGATIVE_INFINITY, to: momentBefore(pictures, 1) }
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const tracks = [
    { stream: windowOf(stream, window, tables), coding: [...coding, '-frames:v', '1'] },
  ]
  await runGraph(tools, { tracks, muxing: ['-f', 'mp4'], path: name, timing: windowGlobals })
  const { stream: said } = await measurePacking(tools, name, { format: 'mp4', video: { index: 0 } })
  await rm(path.join(tools.folder, name), { force: true })
  const tag = (entry: string): string => said.get(entry) ?? 'unknown'
  return {
    color_primaries: tag('color_primaries'),
    color_trc: tag('color_transfer'),
    colorspace: tag('color_space'),
  }
}
