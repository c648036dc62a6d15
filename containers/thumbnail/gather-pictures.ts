import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { MadeFiles, OutputFile } from '../graph/compile-args.ts'
import { connect, inputFile, pipe, pipeAll, streamOf, type Stream } from '../graph/filter-graph.ts'
import { demuxers } from '../ffmpeg/measure-media.ts'
import type { Pictures, Video } from '../timeline/finished-video.ts'
import type { MediaFacts, VideoFacts } from '../timeline/media-facts.ts'
import { runGraph } from '../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import { isUndecodable } from '../errors/job-error.ts'
import { losesTurn } from '../cuts/plan/copied-codecs.ts'
import { toStandardPicture } from '../render/color/standard-picture.ts'
import { deinterlaceAlone, withoutFields } from '../render/frame/deinterlace.ts'
import { holdSize } from '../render/frame/hold-size.ts'
import { fitWithin } from './fit-within.ts'
import { pictureBytes } from './read-pictures.ts'
import { rawPictures } from '../ffmpeg/process/raw-pictures.ts'

export type WantedPictures = {
  /** The number of places at which pictures are taken. */
  readonly places: number
  /** If all pictures together have at most this many pixels, every picture is decoded; otherwise only key pictures. */
  readonly patientPixels: number
  /** Whether a still of each moment is made at once, which takes less than a program of its own for a few of them. */
  readonly asStills?: boolean
  /** When this is aborted, the pictures found until then are used. */
  readonly patience: AbortSignal
}

/** If fewer moments than this are found among the key pictures, all pictures are searched. */
const fewestMoments = 4

/**
 * Takes pictures from all over a video: in a long one only key pictures; if those are too few, all pictures for as long as the
 * patience lasts. Rejects only if not a single picture could be read.
 */
export async function gatherPictures(
  tools: ToolContext,
  video: Video,
  wanted: WantedPictures,
): Promise<Pictures> {
  const { width, height, averageFps, endSeconds } = video.facts.video
  const pixels = width * height * averageFps * endSeconds
  const isLong = pixels > wanted.patientPixels && !losesTurn(video.facts, video.facts.format)
  const keys = isLong ? await gatherKeys(tools, video, wanted) : undefined
  if (keys && momentCount(keys) >= fewestMoments) return keys
  const parts = partsOf(video.facts.video, wanted.places)
  const all = await gather(tools, video.facts.video, { made: lookAtAll(video, parts), wanted })
  const found = [all, keys].filter((one) => one !== undefined)
  const [most] = found.sort((a, b) => b.count - a.count)
  if (!most) throw new Error('No picture of the video could be read')
  return most
}

export function momentCount({ count }: Pick<Pictures, 'count'>): number {
  return Math.ceil(count / 2)
}

/** The still of a moment, if stills were wanted. */
export function stillOf({ path: name }: Pick<Pictures, 'path'>, moment: number | '%d'): string {
  return `${name}-${moment}.jpg`
}

/** How a still is stored. `quality` is that of ffmpeg, where 2 is the best. */
export function stillCoding(quality: number): string[] {
  return ['-c:v', 'mjpeg', '-q:v', String(quality), '-fflags', '+bitexact', '-flags:v', '+bitexact']
}

export const bestStill = 3

const allPath = 'pictures.raw'
const keysPath = 'key-pictures.raw'

/**
 * Takes key pictures spread over the video: their packets are copied out of the file, and only those are decoded. However long
 * the video is, that takes little more time than reading it.
 */
async function gatherKeys(
  tools: ToolContext,
  video: Video,
  wanted: WantedPictures,
): Promise<Pictures | undefined> {
  const { format, video: facts } = video.facts
  const parts = partsOf(facts, wanted.places)
  const name = `keys.${format}`
  try {
    await runGraph(tools, copyKeys(video, { parts, name }))
    const made = lookAtKeys({ name, facts: video.facts }, parts)
    return await gather(tools, facts, { made, wanted })
  } catch (error) {
    // A stream that the muxer refuses may still be decoded.
    if (isUndecodable(error)) return undefined
    throw error
  } finally {
    await rm(path.join(tools.folder, name), { force: true })
  }
}

function copyKeys(
  { name: source, facts }: Video,
  { parts, name }: { parts: PartLength; name: string },
): OutputFile {
  const file = inputFile(source, demuxers[facts.format])
  const kept = `noise=drop='${dropExpression(parts)}'`
  const track = {
    stream: streamOf(file, 'video', facts.video.index),
    coding: ['-c:v', 'copy', '-bsf:v', kept],
  }
  return { tracks: [track], muxing: ['-f', facts.format], path: name }
}

function lookAtKeys({ name, facts }: Video, parts: PartLength): OutputFile {
  const picture = openPicture(name, facts, { index: 0 })
  return look({ picture, facts, expr: pairExpression(parts, 'key'), path: keysPath })
}

function lookAtAll({ name, facts }: Video, parts: PartLength): OutputFile {
  // Half of the pictures of most videos are not needed by any other picture, and their neighbours show the same.
  const skipping = ['-skip_frame', 'noref']
  const picture = openPicture(name, facts, { index: facts.video.index, skipping })
  return look({ picture, facts, expr: pairExpression(parts, 'any'), path: allPath })
}

function openPicture(
  name: string,
  { format, video }: MediaFacts,
  { index, skipping = [] }: { index: number; skipping?: readonly string[] },
): Stream<'video'> {
  const { reading, filters } = video.ownTurn ? holdSize(video) : { reading: [], filters: [] }
  const file = inputFile(name, demuxers[format], [...skipping, ...reading])
  return pipeAll(streamOf(file, 'video', index), filters)
}

type PictureReading = Parameters<typeof jpegPicture>[0] & { readonly path: string }

function look({ path: name, ...request }: PictureReading): OutputFile {
  return rawPictures(jpegPicture(request), name)
}

/** The same, with a still of the first of each two pictures, as it is stored without them. */
function withStills({ tracks: [track], ...raw }: OutputFile): MadeFiles {
  if (!track) throw new Error('No pictures are looked at')
  const [own, other] = connect('split', [track.stream as Stream<'video'>], ['video', 'video'])
  const still = pipeAll(other, [
    ['select', { expr: 'not(mod(n,2))' }],
    ['setsar', { sar: 0 }],
  ])
  const coding = [...stillCoding(bestStill), '-fps_mode:v', 'passthrough']
  const muxing = ['-f', 'image2', '-start_number', '0']
  const beside = [{ tracks: [{ stream: still, coding }], muxing, path: stillOf(raw, '%d') }]
  return { ...raw, tracks: [{ ...track, stream: own }], beside }
}

/** Pictures from a damaged video, or from before the patience ended, count too. */
async function gather(
  tools: ToolContext,
  facts: VideoFacts,
  { made, wanted }: { made: OutputFile; wanted: WantedPictures },
): Promise<Pictures | undefined> {
  const { patience, asStills = false } = wanted
  const signal = AbortSignal.any([tools.signal, patience])
  let haveStills = false
  try {
    await runGraph({ ...tools, signal }, asStills ? withStills(made) : made)
    haveStills = asStills
  } catch (error) {
    tools.signal.throwIfAborted()
    if (!patience.aborted && !isUndecodable(error)) throw error
  }
  const { w: width, h: height } = fitWithin(facts, pictureSide)
  const bytes = await stat(path.join(tools.folder, made.path)).then(
    ({ size }) => size,
    () => 0,
  )
  const count = Math.floor(bytes / pictureBytes({ width, height }))
  return count > 0
    ? { path: made.path, width, height, count, areKeys: made.path === keysPath, haveStills }
    : undefined
}

/** The longest side of the largest still. Every picture is scaled down to it. */
const pictureSide = 1280

type JpegPictures = {
  readonly picture: Stream<'video'>
  readonly facts: MediaFacts
  /** Chooses the pictures: an expression for `select`. */
  readonly expr: string
}

/** Turns chosen pictures of a video into those of a still: upright, in their shape, and in the only colours that JPEG knows. */
function jpegPicture({ picture, facts, expr }: JpegPictures): Stream<'video'> {
  const { w, h } = fitWithin(facts.video, pictureSide)
  const chosen = deinterlaceAlone(pipe(picture, 'select', { expr }), facts.video)
  const colors = { out_range: 'full', out_color_matrix: 'bt601', flags: 'bicubic+accurate_rnd' }
  return pipeAll(toStandardPicture(...inSize(chosen, withoutFields(facts.video), { w, h })), [
    ['scale', { w, h, ...colors }],
    ['format', { pix_fmts: 'yuvj420p' }],
    ['setsar', { sar: 1 }],
  ])
}

/** Tone mapping takes seconds for a large picture, so the picture is scaled down first. */
function inSize(
  picture: Stream<'video'>,
  facts: VideoFacts,
  { w, h }: { w: number; h: number },
): [Stream<'video'>, VideoFacts] {
  if (facts.transfer === 'sdr') return [picture, facts]
  const small = pipeAll(picture, [
    ['scale', { w, h, flags: 'bicubic' }],
    ['setsar', { sar: 1 }],
  ])
  return [small, { ...facts, width: w, height: h, hasSquarePixels: true }]
}

/** Parts of equal length. Two pictures represent each: the first of the part, and one shortly after it. */
type PartLength = { readonly seconds: number }

/** The time between these two, within which a fade becomes visible. */
const nextSeconds = 0.2
const shortestPart = 0.25
/** This much of the video is kept from a key picture on. The second picture must be in it, although pictures are stored out of order. */
const keptSeconds = 0.35

/** Divides the video into at most `count` equal parts, each long enough to have two pictures. */
function partsOf({ endSeconds }: Pick<VideoFacts, 'endSeconds'>, count: number): PartLength {
  const fitting = Math.max(1, Math.min(count, Math.floor(endSeconds / shortestPart)))
  return { seconds: Math.max(0.001, endSeconds / fitting) }
}

/**
 * An expression for `select`, which chooses by turns the first picture of a part and its second one. `ld(0)` is 1 while it
 * waits for the second one, `ld(1)` is the time of the first, and `ld(2)` the number of parts begun. If the pictures before
 * it are missing, only a key picture is certain to be complete.
 */
function pairExpression({ seconds }: PartLength, first: 'any' | 'key'): string {
  const part = `floor(t/${seconds.toFixed(6)})+1`
  const isBegun = `gt(${part},ld(2))${first === 'key' ? '*key' : ''}`
  const begin = `st(0,1)+0*st(1,t)+0*st(2,${part})`
  return `if(ld(0),if(gte(t,ld(1)+${nextSeconds}),st(0,0)+1,0),if(${isBegun},${begin},0))`
}

/**
 * An expression for the bitstream filter `noise`, which drops all packets except for the first key picture of each part
 * and the moment after it. `ld(0)` is 1 while packets are kept, `ld(1)` is the time of the key picture, and `ld(2)` is as
 * above.
 */
function dropExpression({ seconds }: PartLength): string {
  const part = `floor((pts-startpts)*tb/${seconds.toFixed(6)})+1`
  const isBegun = `key*gt(${part},ld(2))`
  const begin = `st(0,1)*0+0*st(1,dts*tb)+0*st(2,${part})`
  // The packet at which the moment ends is kept too.
  const goOn = `0*st(0,lt(dts*tb,ld(1)+${keptSeconds}))`
  return `if(${isBegun},${begin},if(ld(0),${goOn},1))`
}
