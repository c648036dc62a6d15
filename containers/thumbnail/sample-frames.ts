import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { compileArgs } from '../ffmpeg/compile-args.ts'
import { inputFile, pipe, pipeAll, streamOf, type Stream } from '../ffmpeg/filter-graph.ts'
import type { MediaFacts } from '../ffmpeg/media-facts.ts'
import { demuxers } from '../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { JobError } from '../job/job-error.ts'
import { toStandardPicture } from '../render/standard-picture.ts'
import type { FrameSample, GrayFrame } from './score-frames.ts'

/** A finished video in the job folder. */
export type Video = { readonly name: string; readonly facts: MediaFacts }

export type TimedSample = FrameSample & { readonly atSeconds: number }

const sampleCount = 10
/** Large enough to tell blur, small enough to be looked at in no time. */
const sampleSide = 480
/** Between the two pictures of a sample: a fade shows itself by then. */
const nextSeconds = 0.2
const samplePath = 'sample.gray'

/** Pictures from moments spread evenly over the video, by seeking; `shift` moves them on by a share of their distance. */
export async function sampleFrames(
  context: ToolContext,
  video: Video,
  shift = 0,
): Promise<TimedSample[]> {
  const samples: TimedSample[] = []
  for (let i = 0; i < sampleCount; i++) {
    const atSeconds = (video.facts.video.endSeconds * (i + shift)) / sampleCount
    const [first, next] = await grayFramesAt(context, video, atSeconds)
    if (first) samples.push({ atSeconds, first, next })
  }
  return samples
}

/** The picture from a time on, upright and standard; of the given moments only. */
export function pictureAt(
  { name, facts }: Video,
  atSeconds: number,
  moments?: string,
): Stream<'video'> {
  const seeking = ['-ss', atSeconds.toFixed(6)]
  const file = inputFile(name, demuxers[facts.format], seeking)
  const picture = streamOf(file, 'video', facts.video.index)
  const chosen = moments === undefined ? picture : pipe(picture, 'select', { expr: moments })
  return toStandardPicture(chosen, facts.video)
}

/** The same shape, at most so long on either side. */
export function fitWithin(
  { width, height }: { width: number; height: number },
  side: number,
): { w: number; h: number } {
  const factor = Math.min(1, side / width, side / height)
  return { w: Math.max(1, Math.round(width * factor)), h: Math.max(1, Math.round(height * factor)) }
}

/** Two; one near the end; none where nothing can be decoded. */
async function grayFramesAt(
  context: ToolContext,
  video: Video,
  atSeconds: number,
): Promise<GrayFrame[]> {
  const { w, h } = fitWithin(video.facts.video, sampleSide)
  const moments = pictureAt(video, atSeconds, `eq(n,0)+gte(t,${nextSeconds})`)
  const stream = pipeAll(moments, [
    ['scale', { w, h, flags: 'area' }],
    ['format', { pix_fmts: 'gray' }],
  ])
  const coding = ['-c:v', 'rawvideo', '-fps_mode:v', 'passthrough', '-frames:v', '2']
  const { threads, maxPixels } = context
  const command = compileArgs({
    tracks: [{ stream, coding }],
    muxing: ['-f', 'rawvideo'],
    path: samplePath,
    threads,
    maxPixels,
  })
  const file = path.join(context.folder, samplePath)
  try {
    await runFfmpeg(context, command, () => undefined)
    const bytes = await readFile(file)
    const count = Math.floor(bytes.length / (w * h))
    return Array.from({ length: count }, (_, i) => ({
      width: w,
      height: h,
      pixels: bytes.subarray(i * w * h, (i + 1) * w * h),
    }))
  } catch (error) {
    if (error instanceof JobError && error.reason === 'source_undecodable') return []
    throw error
  } finally {
    await rm(file, { force: true })
  }
}
