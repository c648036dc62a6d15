import { stat } from 'node:fs/promises'
import path from 'node:path'
import { inputFile, pipeAll, streamOf } from '../graph/filter-graph.ts'
import { runGraph } from '../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { Pictures, Video } from '../timeline/finished-video.ts'
import { fitWithin } from './fit-within.ts'
import {
  bestStill,
  gatherPictures,
  momentCount,
  stillCoding,
  stillOf,
  type WantedPictures,
} from './gather-pictures.ts'
import { rawReading, readSamples } from './read-pictures.ts'
import { scoreFrames } from './score-frames.ts'

export const maxThumbnailBytes = 200_000

/** These are tried in order until the file is small enough. */
const attempts = [
  { side: 1280, quality: bestStill },
  { side: 1280, quality: 6 },
  { side: 1280, quality: 12 },
  { side: 1280, quality: 22 },
  { side: 800, quality: 16 },
  { side: 480, quality: 20 },
] as const

/** How much work a still is worth: decoding all of 16 seconds of 1080p takes about two seconds. */
export const wantedForStill: Omit<WantedPictures, 'patience'> = { places: 24, patientPixels: 1e9 }

/** A still for lists of videos that was not requested. */
export const wantedForPoster: Omit<WantedPictures, 'patience'> = {
  places: 5,
  patientPixels: 5e7,
  asStills: true,
}
export const posterPatienceMs = 3_000

const leastPatienceMs = 10_000
const mostPatienceMs = 60_000

/**
 * A still may take half as long as the rendering did, and some seconds if the video was only copied. In whole milliseconds,
 * because timers of signals accept nothing else.
 */
export function stillPatienceMs(renderingMs: number): number {
  return Math.round(Math.min(mostPatienceMs, Math.max(leastPatienceMs, renderingMs / 2)))
}

type Thumbnail = {
  /** The name of the JPEG in the job folder. */
  readonly name: string
  /** The pictures from which it was chosen. */
  readonly pictures: Pictures
}

/** Makes a JPEG of the moment that represents the video best. */
export async function makeThumbnail(
  tools: ToolContext,
  video: Video,
  wanted: WantedPictures,
): Promise<Thumbnail> {
  const { pictures, best } = await findBest(tools, video, wanted)
  if (pictures.haveStills) {
    const name = stillOf(pictures, best)
    if (isGood(await stat(path.join(tools.folder, name)))) return { name, pictures }
  }
  for (const attempt of attempts.slice(pictures.haveStills ? 1 : 0)) {
    const name = await encodeStill(tools, pictures, { place: best * 2, ...attempt })
    if (isGood(await stat(path.join(tools.folder, name)))) return { name, pictures }
  }
  throw new Error('The still did not become small enough')
}

function isGood({ size }: { readonly size: number }): boolean {
  return size > 0 && size <= maxThumbnailBytes
}

/** If all key pictures are blank, the pictures between them may still show something. */
async function findBest(tools: ToolContext, video: Video, wanted: WantedPictures) {
  const pictures = await gatherPictures(tools, video, wanted)
  const best = await bestOf(tools, pictures)
  if (best !== undefined || !pictures.areKeys) {
    return { pictures, best: best ?? middleOf(pictures) }
  }
  const all = await gatherPictures(tools, video, { ...wanted, patientPixels: Infinity })
  const found = await bestOf(tools, all)
  return { pictures: all, best: found ?? middleOf(all) }
}

function middleOf(pictures: Pictures): number {
  return Math.floor(momentCount(pictures) / 2)
}

/** Chooses the best of the moments; undefined if all are blank. */
async function bestOf({ folder }: ToolContext, pictures: Pictures): Promise<number | undefined> {
  const scores = await scoreFrames(await readSamples(folder, pictures))
  const best = Math.max(...scores)
  return best > 0 ? scores.indexOf(best) : undefined
}

async function encodeStill(
  tools: ToolContext,
  pictures: Pictures,
  { place, side, quality }: { place: number; side: number; quality: number },
): Promise<string> {
  const name = 'thumbnail.jpg'
  const reading = [...rawReading(pictures), '-ss', String(place)]
  const picture = streamOf(inputFile(pictures.path, 'rawvideo', reading), 'video', 0)
  const stream = pipeAll(picture, [
    ['scale', { ...fitWithin(pictures, side), flags: 'bicubic+accurate_rnd' }],
    ['format', { pix_fmts: 'yuvj420p' }],
  ])
  const coding = [...stillCoding(quality), '-frames:v', '1']
  const muxing = ['-f', 'image2', '-update', '1']
  await runGraph(tools, { tracks: [{ stream, coding }], muxing, path: name })
  return name
}
