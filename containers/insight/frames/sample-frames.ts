import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { compileArgs } from '../../ffmpeg/compile-args.ts'
import { inputFile, pipe, pipeAll, streamOf } from '../../ffmpeg/filter-graph.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { VideoFacts } from '../../ffmpeg/media-facts.ts'
import { runFfmpeg } from '../../ffmpeg/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/run-tool.ts'
import { toStandardPicture } from '../../render/standard-picture.ts'
import type { Video } from '../../thumbnail/sample-frames.ts'
import type { RgbPicture } from '../objects/object-model.ts'
import { chooseFrames } from './choose-frames.ts'
import { lookOfPicture, type Look } from './look-of-picture.ts'

export type Sampling = {
  /** Pictures are made smaller until they have no more pixels than this. */
  readonly maxPixels: number
  /** Smaller ones are made larger, up to so many times either side. */
  readonly maxEnlargement: number
  readonly maxFrames: number
}

export type SampledFrames = {
  readonly width: number
  readonly height: number
  /** Evenly spread over the video. */
  readonly looks: readonly Look[]
  /** Those that show most of what there is to see, in order. */
  readonly frames: readonly RgbPicture[]
}

const candidateCount = 48
const candidatesPath = 'candidates.rgb'

/** Decoding every picture takes too long for more than this; then the key pictures have to do. */
const patientPixels = 6e9
const fewestKeyPictures = 4

/** Looks at the whole video in one pass, and keeps pictures of every shot. */
export async function sampleFrames(
  context: ToolContext,
  video: Video,
  sampling: Sampling,
): Promise<SampledFrames> {
  const { width, height, averageFps, endSeconds } = video.facts.video
  const isShort = width * height * averageFps * endSeconds <= patientPixels
  const request = { video, size: sizeWithin(video.facts.video, sampling) }
  try {
    if (!isShort) {
      await extractCandidates(context, { ...request, isKeysOnly: true })
      const sampled = await readCandidates(context, request.size, sampling.maxFrames)
      if (sampled.looks.length >= fewestKeyPictures) return sampled
    }
    await extractCandidates(context, { ...request, isKeysOnly: false })
    return await readCandidates(context, request.size, sampling.maxFrames)
  } finally {
    await rm(path.join(context.folder, candidatesPath), { force: true })
  }
}

type Size = { readonly width: number; readonly height: number }

function sizeWithin({ width, height }: VideoFacts, { maxPixels, maxEnlargement }: Sampling): Size {
  const factor = Math.min(maxEnlargement, Math.sqrt(maxPixels / (width * height)))
  // A line of one pixel is a picture too.
  const length = (side: number) => Math.max(1, Math.min(maxPixels, Math.round(side * factor)))
  return { width: length(width), height: length(height) }
}

type Extraction = { video: Video; size: Size; isKeysOnly: boolean }

/** The first picture of each of as many equal parts. */
async function extractCandidates(
  context: ToolContext,
  { video, size, isKeysOnly }: Extraction,
): Promise<void> {
  const { name, facts } = video
  const reading = isKeysOnly ? ['-skip_frame', 'nokey'] : []
  const file = inputFile(name, demuxers[facts.format], reading)
  const part = Math.max(0.001, facts.video.endSeconds / candidateCount).toFixed(6)
  const isFirst = `isnan(prev_selected_t)+gt(floor(t/${part}),floor(prev_selected_t/${part}))`
  const chosen = pipe(streamOf(file, 'video', facts.video.index), 'select', { expr: isFirst })
  const stream = pipeAll(toStandardPicture(chosen, facts.video), [
    ['scale', { w: size.width, h: size.height, flags: 'bicubic' }],
    ['format', { pix_fmts: 'rgb24' }],
  ])
  const frameCap = ['-frames:v', String(candidateCount + 2)]
  const coding = ['-c:v', 'rawvideo', '-fps_mode:v', 'passthrough', ...frameCap]
  const { threads, maxPixels } = context
  const command = compileArgs({
    tracks: [{ stream, coding }],
    muxing: ['-f', 'rawvideo'],
    path: candidatesPath,
    threads,
    maxPixels,
  })
  await runFfmpeg(context, command, () => undefined)
}

/** One at a time: only the chosen are kept in memory. */
async function readCandidates(
  { folder }: ToolContext,
  { width, height }: Size,
  maxFrames: number,
): Promise<SampledFrames> {
  const bytes = width * height * 3
  const file = await open(path.join(folder, candidatesPath))
  try {
    const count = Math.floor((await file.stat()).size / bytes)
    const pictureAt = async (place: number): Promise<RgbPicture> => {
      const pixels = new Uint8Array(bytes)
      await file.read(pixels, 0, bytes, place * bytes)
      return { width, height, pixels }
    }
    const looks: Look[] = []
    for (let place = 0; place < count; place++) looks.push(lookOfPicture(await pictureAt(place)))
    const frames: RgbPicture[] = []
    for (const place of chooseFrames(looks, maxFrames)) frames.push(await pictureAt(place))
    return { width, height, looks, frames }
  } finally {
    await file.close()
  }
}
