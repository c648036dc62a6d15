import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { compileArgs, type CompiledCommand } from '../graph/compile-args.ts'
import { inputFile, streamOf } from '../graph/filter-graph.ts'
import { demuxers } from '../ffmpeg/measure-media.ts'
import type { Pictures, Video } from '../timeline/finished-video.ts'
import type { VideoFacts } from '../timeline/media-facts.ts'
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { JobError } from '../errors/job-error.ts'
import { fitWithin } from './fit-within.ts'
import { dropExpression, pairExpression, partsOf, type Parts } from './picture-moments.ts'
import { jpegPicture, pictureSide } from './jpeg-picture.ts'
import { pictureBytes } from './read-pictures.ts'

export type Wanted = {
  /** The video is looked at in this many places. */
  readonly places: number
  /** Every picture of the video is decoded where it has no more pixels than this in all; else key pictures have to do. */
  readonly patientPixels: number
  /** Aborted when what was found by then has to do. */
  readonly patience: AbortSignal
}

/** With fewer key pictures the others are looked at as well. */
const fewestMoments = 4

/**
 * Looks through a video once. Where that takes long, only at its key pictures, wherever there are enough; and where
 * there are not, as far as patience goes. Rejects only where nothing at all came out.
 */
export async function gatherPictures(
  context: ToolContext,
  video: Video,
  wanted: Wanted,
): Promise<Pictures> {
  const { width, height, averageFps, endSeconds } = video.facts.video
  const isLong = width * height * averageFps * endSeconds > wanted.patientPixels
  const keys = isLong ? await gatherKeys(context, video, wanted) : undefined
  if (keys && momentsIn(keys) >= fewestMoments) return keys
  const parts = partsOf(video.facts.video, wanted.places)
  const command = lookAtAll(context, video, parts)
  const all = await gather(context, video.facts.video, { command, path: allPath, wanted })
  const found = [all, keys].filter((one) => one !== undefined)
  const [most] = found.sort((a, b) => b.count - a.count)
  if (!most) throw new Error('No picture of the video could be read')
  return most
}

export function momentsIn({ count }: Pick<Pictures, 'count'>): number {
  return Math.ceil(count / 2)
}

const allPath = 'pictures.raw'
const keysPath = 'key-pictures.raw'

/**
 * Key pictures spread over the video: what is needed of the file is copied out of it, and nothing else is decoded.
 * However long the video is, that takes little more than reading it.
 */
async function gatherKeys(
  context: ToolContext,
  video: Video,
  wanted: Wanted,
): Promise<Pictures | undefined> {
  const { format, video: facts } = video.facts
  const parts = partsOf(facts, wanted.places)
  const name = `keys.${format}`
  try {
    await runFfmpeg(context, copyKeys(context, video, { parts, name }), () => undefined)
    const command = lookAtKeys(context, { name, facts: video.facts }, parts)
    return await gather(context, facts, { command, path: keysPath, wanted })
  } catch (error) {
    // What a muxer does not take can be decoded all the same.
    if (isUndecodable(error)) return undefined
    throw error
  } finally {
    await rm(path.join(context.folder, name), { force: true })
  }
}

function copyKeys(
  { threads, maxPixels }: ToolContext,
  { name: source, facts }: Video,
  { parts, name }: { parts: Parts; name: string },
): CompiledCommand {
  const file = inputFile(source, demuxers[facts.format])
  const kept = `noise=drop='${dropExpression(parts)}'`
  const track = {
    stream: streamOf(file, 'video', facts.video.index),
    coding: ['-c:v', 'copy', '-bsf:v', kept],
  }
  const muxing = ['-f', facts.format]
  return compileArgs({ tracks: [track], muxing, path: name, threads, maxPixels })
}

function lookAtKeys(context: ToolContext, { name, facts }: Video, parts: Parts): CompiledCommand {
  const file = inputFile(name, demuxers[facts.format])
  const expr = pairExpression(parts, 'key')
  return look(context, { picture: streamOf(file, 'video', 0), facts, expr, path: keysPath })
}

function lookAtAll(context: ToolContext, { name, facts }: Video, parts: Parts): CompiledCommand {
  // Pictures that no other one needs are half of most videos, and their neighbours show the same.
  const file = inputFile(name, demuxers[facts.format], ['-skip_frame', 'noref'])
  const picture = streamOf(file, 'video', facts.video.index)
  return look(context, { picture, facts, expr: pairExpression(parts, 'any'), path: allPath })
}

type Look = Parameters<typeof jpegPicture>[0] & { readonly path: string }

function look({ threads, maxPixels }: ToolContext, { path: name, ...request }: Look) {
  const coding = ['-c:v', 'rawvideo', '-fps_mode:v', 'passthrough']
  const track = { stream: jpegPicture(request), coding }
  const muxing = ['-f', 'rawvideo']
  return compileArgs({ tracks: [track], muxing, path: name, threads, maxPixels })
}

type Gathering = { command: CompiledCommand; path: string; wanted: Wanted }

/** Also what came out of a damaged video, or until patience ended. */
async function gather(
  context: ToolContext,
  facts: VideoFacts,
  { command, path: name, wanted }: Gathering,
): Promise<Pictures | undefined> {
  const { patience } = wanted
  const signal = AbortSignal.any([context.signal, patience])
  try {
    await runFfmpeg({ ...context, signal }, command, () => undefined)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!patience.aborted && !isUndecodable(error)) throw error
  }
  const { w: width, h: height } = fitWithin(facts, pictureSide)
  const bytes = await stat(path.join(context.folder, name)).then(
    ({ size }) => size,
    () => 0,
  )
  const count = Math.floor(bytes / pictureBytes({ width, height }))
  return count > 0 ? { path: name, width, height, count, areKeys: name === keysPath } : undefined
}

function isUndecodable(error: unknown): boolean {
  return error instanceof JobError && error.reason === 'source_undecodable'
}
