import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Motion } from '../../worker/contract/options/picture-clip.ts'
import {
  sniffBytes,
  sniffFormat,
  type PictureFormat,
} from '../../worker/contract/video/sniff-format.ts'
import { JobError } from '../errors/job-error.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import { drawPicture } from './draw-picture.ts'
import { measureMedia, type MeasureRequest } from './measure-media.ts'
import { measurePicture } from './measure-picture.ts'
import type { ToolContext } from './process/run-tool.ts'
import { takeVideo, type TakenVideo } from './take-video.ts'

/** A fetched file, and what the request says of it. */
export type Source = {
  /** Its name inside the job folder. */
  readonly path: string
  /** The request field that a message about the file names. */
  readonly field: string
  readonly duration?: number | undefined
  readonly motion?: Motion | undefined
  readonly onClaim?: MeasureRequest['onClaim']
}

export type TakeSettings = {
  readonly maxSeconds: number
  readonly backgroundColor: string
  /** How many files are read at once is up to the caller. */
  readonly inTurns: <Item extends Source>(
    items: readonly Item[],
    take: (item: Item, context: ToolContext) => Promise<void>,
  ) => Promise<unknown>
}

/** Clips of pictures alone are shown at this rate, and are at most so wide or high. */
const usualRate = { frames: 30, seconds: 1 }
const usualPixels = 1_920

/**
 * Makes a clip of every source. What is no video becomes one here, so that all else knows nothing but videos. A picture is
 * drawn at the rate of the first video, and no larger than that.
 */
export async function takeSources(
  folder: string,
  sources: readonly Source[],
  { maxSeconds, backgroundColor, inTurns }: TakeSettings,
): Promise<TakenVideo[]> {
  const kinds = await Promise.all(sources.map(async (source) => pictureFormat(folder, source)))
  for (const [i, source] of sources.entries()) if (!kinds[i]) refusePictureFields(source)
  const taken = new Map<Source, TakenVideo>()
  const videos = sources.filter((_source, i) => !kinds[i])
  await inTurns(videos, async (source, context) => {
    taken.set(source, await takeVideo(context, { ...source, maxSeconds }))
  })
  const first = videos.map((source) => taken.get(source)?.facts).find((facts) => facts)
  const pictures = sources.flatMap((source, i) => {
    const format = kinds[i]
    return format ? [{ ...source, format, place: source }] : []
  })
  const look = { ...lookOf(first), backgroundColor, maxSeconds }
  await inTurns(pictures, async ({ place, ...picture }, context) => {
    taken.set(place, await takePicture(context, picture, look))
  })
  return sources.flatMap((source) => taken.get(source) ?? [])
}

async function pictureFormat(folder: string, source: Source): Promise<PictureFormat | undefined> {
  const handle = await open(path.join(folder, source.path))
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
    const sniffed = await sniffFormat(buffer.subarray(0, bytesRead))
    return sniffed.kind === 'picture' ? sniffed.format : undefined
  } finally {
    await handle.close()
  }
}

/** `files[1].url` → `files[1].duration` */
function beside({ field }: Source, name: 'duration' | 'motion'): string {
  return field.replace(/url$/, name)
}

function refusePictureFields(source: Source): void {
  for (const name of ['duration', 'motion'] as const) {
    if (source[name] === undefined) continue
    const what = `${source.field} is no picture, and only pictures have a ${name}`
    throw new JobError('source_not_media', `${beside(source, name)}: ${what}.`)
  }
}

type Look = {
  readonly rate: MediaFacts['video']['frameRate']
  readonly mostPixels: number
  readonly backgroundColor: string
  readonly maxSeconds: number
}

function lookOf(first: MediaFacts | undefined): Pick<Look, 'rate' | 'mostPixels'> {
  if (!first) return { rate: usualRate, mostPixels: usualPixels }
  const { width, height, frameRate } = first.video
  return { rate: frameRate, mostPixels: Math.max(width, height, usualPixels) }
}

async function takePicture(
  context: ToolContext,
  source: Source & { readonly format: PictureFormat },
  { maxSeconds, ...look }: Look,
): Promise<TakenVideo> {
  const { path: name, field, format, motion = 'none' } = source
  if (!field.startsWith('files')) {
    throw new JobError(
      'source_not_media',
      `${field}: the file is a picture (${format.toUpperCase()}). Name it in files, with a duration.`,
    )
  }
  const facts = await measurePicture(context, { path: name, field, maxSeconds, format })
  const seconds = source.duration ?? (facts.kind === 'gif' ? facts.seconds : undefined)
  if (seconds === undefined) {
    throw new JobError(
      'source_not_media',
      `${beside(source, 'duration')}: Required: ${field} is a picture (${format.toUpperCase()}); say how many seconds it is shown.`,
    )
  }
  const drawn = `${name}-drawn`
  await drawPicture(context, { ...look, from: name, to: drawn, facts, seconds, motion })
  await rm(path.join(context.folder, name))
  const measured = { path: drawn, field, maxSeconds, isOurs: true, isResult: true }
  return { path: drawn, facts: await measureMedia(context, measured) }
}
