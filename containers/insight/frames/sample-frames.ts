import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { inputFile, pipeAll, streamOf } from '../../graph/filter-graph.ts'
import type { VideoFacts } from '../../timeline/media-facts.ts'
import { runGraph } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { gatherPictures, type WantedPictures } from '../../thumbnail/gather-pictures.ts'
import type { Pictures, Video } from '../../timeline/finished-video.ts'
import { rawReading } from '../../thumbnail/read-pictures.ts'
import type { RgbPicture } from '../objects/object-model.ts'
import { chooseFrames } from './choose-frames.ts'
import { lookOfPicture, type PictureLook } from './look-of-picture.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import { rawPictures } from '../../ffmpeg/process/raw-pictures.ts'

type Sampling = {
  /** Larger pictures are scaled down to this number of pixels. */
  readonly maxPixels: number
  /** Smaller pictures are enlarged, each side up to this many times. */
  readonly maxEnlargement: number
  readonly maxFrames: number
}

export type SampledFrames = {
  /** Samples spread evenly over the video. */
  readonly looks: readonly PictureLook[]
  /** The pictures that show most of the video, in order. */
  readonly frames: readonly RgbPicture[]
}

/** How much work is worth doing to find out what a video shows. */
export const wantedForAnalysis: Omit<WantedPictures, 'patience'> = {
  places: 48,
  patientPixels: 6e9,
}
export const analysisPatienceMs = 120_000

const candidatesPath = 'candidates.rgb'

/** Examines the whole video, unless an earlier step did, and keeps pictures of every shot. */
export async function sampleFrames(
  tools: ToolContext,
  video: Video,
  sampling: Sampling,
): Promise<SampledFrames> {
  const wanted = { ...wantedForAnalysis, patience: AbortSignal.timeout(analysisPatienceMs) }
  const pictures = video.pictures ?? (await gatherPictures(tools, video, wanted))
  const size = sizeWithin(video.facts.video, sampling)
  try {
    await extractCandidates(tools, pictures, size)
    return await readCandidates(tools, size, sampling.maxFrames)
  } finally {
    await rm(path.join(tools.folder, candidatesPath), { force: true })
  }
}

function sizeWithin({ width, height }: VideoFacts, { maxPixels, maxEnlargement }: Sampling): Size {
  const factor = Math.min(maxEnlargement, Math.sqrt(maxPixels / (width * height)))
  // A side may be a single pixel.
  const length = (side: number) => Math.max(1, Math.min(maxPixels, Math.round(side * factor)))
  return { width: length(width), height: length(height) }
}

/** Extracts one picture of each moment. */
async function extractCandidates(
  tools: ToolContext,
  pictures: Pictures,
  { width: w, height: h }: Size,
): Promise<void> {
  const file = inputFile(pictures.path, 'rawvideo', rawReading(pictures))
  const stream = pipeAll(streamOf(file, 'video', 0), [
    ['select', { expr: 'not(mod(n,2))' }],
    ['scale', { w, h, flags: 'bicubic' }],
    ['format', { pix_fmts: 'rgb24' }],
  ])
  await runGraph(tools, rawPictures(stream, candidatesPath))
}

/** Reads one picture at a time; only the chosen ones stay in memory. */
async function readCandidates(
  { folder }: ToolContext,
  { width, height }: Size,
  maxFrames: number,
): Promise<SampledFrames> {
  const bytes = width * height * 3
  await using file = await open(path.join(folder, candidatesPath))
  const count = Math.floor((await file.stat()).size / bytes)
  const pictureAt = async (place: number): Promise<RgbPicture> => {
    const pixels = new Uint8Array(bytes)
    await file.read(pixels, 0, bytes, place * bytes)
    return { width, height, pixels }
  }
  const looks: PictureLook[] = []
  for (let place = 0; place < count; place++) looks.push(lookOfPicture(await pictureAt(place)))
  const frames: RgbPicture[] = []
  for (const place of chooseFrames(looks, maxFrames)) frames.push(await pictureAt(place))
  return { looks, frames }
}
