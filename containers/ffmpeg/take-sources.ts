import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Motion } from '../../worker/contract/options/picture/picture-clip.ts'
import {
  knownPictures,
  knownSounds,
  sniffFormat,
  type SniffedPicture,
  type SoundSource,
  type Sniffed,
} from '../../worker/contract/video/sniff-format.ts'
import { checkClaims } from '../claims/check-claims.ts'
import { JobError } from '../errors/job-error.ts'
import { fpsOf, type FrameRate } from '../timeline/frame-rate.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import { drawPicture, movesQuickly, sizeOf } from './draw-picture.ts'
import { drawSound, type Ground } from './draw-sound.ts'
import { foundAs, headOf } from './identify-file.ts'
import { failElement, soundDemuxers } from './measure-element.ts'
import { measureMedia, type MeasureRequest } from './measure-media.ts'
import { measurePicture } from './measure-picture.ts'
import type { ToolContext } from './process/run-tool.ts'
import { takeVideo, type TakenVideo } from './take-video.ts'

/** A fetched file, and what the request says about it. */
export type SourceToTake = {
  /** Its name inside the job folder. */
  readonly path: string
  /** The request field that a message about the file names. */
  readonly field: string
  readonly duration?: number | undefined
  readonly motion?: Motion | undefined
  readonly onClaim?: NonNullable<MeasureRequest['onClaim']>
  readonly isPartial?: boolean
}

type SoundPicture = {
  /** The field that a message about it names. */
  readonly field: string
  /** A colour, or the address of a picture. */
  readonly ground: string
  /** The name of that picture inside the job folder. */
  readonly path: string | undefined
  readonly waveColor: string | undefined
}

export type TakeSettings = {
  readonly maxSeconds: number
  readonly backgroundColor: string
  /** The picture for sources that are only sound; undefined if the request names none. */
  readonly soundPicture: SoundPicture | undefined
  /** Whether no picture will be seen. */
  readonly isHeardOnly: boolean
  /** Whether this is only a plan: then waveforms, and motions that take time, are not drawn. */
  readonly isPlanned?: boolean
  /** Lets the caller decide how many files are read at once. */
  readonly inTurns: <Item extends SourceToTake>(
    items: readonly Item[],
    take: (item: Item, tools: ToolContext) => Promise<void>,
  ) => Promise<unknown>
}

/** Clips made only of pictures are shown at this rate, with sides of at most this length. */
const usualRate = { frames: 30, seconds: 1 }
const usualPixels = 1_920

/**
 * Makes a clip from every source. Sources that are not videos become videos here, so that everything else deals only with
 * videos. A picture is drawn at the rate of the first video, and no larger than it.
 */
export async function takeSources(
  folder: string,
  sources: readonly SourceToTake[],
  settings: TakeSettings,
): Promise<TakenVideo[]> {
  const { maxSeconds, inTurns } = settings
  const known = await Promise.all(
    sources.map(async (source) => ({ ...source, sniffed: await sniffFile(folder, source.path) })),
  )
  for (const source of known) if (source.sniffed.kind !== 'picture') refusePictureFields(source)
  const taken = new Map<string, TakenVideo>()
  const made = ({ sniffed: { kind } }: SniffedSource): boolean =>
    kind === 'picture' || kind === 'sound'
  const videos = known.filter((source) => !made(source))
  await inTurns(videos, async (source, tools) => {
    taken.set(
      source.path,
      await takeVideo(tools, { ...source, maxSeconds, isPlanned: settings.isPlanned }),
    )
  })
  const first = videos.map((source) => taken.get(source.path)?.facts).find((facts) => facts)
  const moving = sources.filter(({ motion = 'none' }) => motion !== 'none').length
  const look = { ...lookOf(first, settings), moving }
  await inTurns(known.filter(made), async (source, tools) => {
    taken.set(source.path, await takeOther(tools, source, look))
  })
  return sources.flatMap((source) => taken.get(source.path) ?? [])
}

type SniffedSource = SourceToTake & { readonly sniffed: Sniffed }

export async function sniffFile(folder: string, name: string): Promise<Sniffed> {
  return sniffFormat(await headOf(path.join(folder, name)))
}

async function takeOther(
  tools: ToolContext,
  { sniffed, ...source }: SniffedSource,
  look: SourceLook,
): Promise<TakenVideo> {
  if (sniffed.kind === 'picture') return takePicture(tools, { ...source, ...sniffed }, look)
  if (sniffed.kind === 'sound') return takeSound(tools, { ...source, ...sniffed }, look)
  throw new Error(`${source.field} is neither a picture nor a sound`)
}

/** `files[1].url` → `files[1].duration` */
function beside({ field }: SourceToTake, name: 'duration' | 'motion'): string {
  return field.replace(/url$/, name)
}

function refusePictureFields(source: SourceToTake): void {
  for (const name of ['duration', 'motion'] as const) {
    if (source[name] === undefined) continue
    const what = `${source.field} is not a picture, and only pictures have a ${name}`
    throw new JobError('source_not_media', `${beside(source, name)}: ${what}.`)
  }
}

type SourceLook = Pick<
  TakeSettings,
  'maxSeconds' | 'backgroundColor' | 'soundPicture' | 'isHeardOnly' | 'isPlanned'
> & {
  readonly rate: FrameRate
  readonly mostPixels: number
  /** How many pictures move. */
  readonly moving?: number
  /** The frame of the first video. */
  readonly frame: { readonly width: number; readonly height: number } | undefined
}

function lookOf(
  first: MediaFacts | undefined,
  settings: Omit<TakeSettings, 'inTurns'>,
): SourceLook {
  if (!first) return { ...settings, rate: usualRate, mostPixels: usualPixels, frame: undefined }
  const { width, height, frameRate } = first.video
  const mostPixels = Math.max(width, height, usualPixels)
  return { ...settings, rate: frameRate, mostPixels, frame: { width, height } }
}

async function takePicture(
  tools: ToolContext,
  source: SourceToTake & { readonly format: SniffedPicture; readonly name: string },
  { maxSeconds, ...look }: SourceLook,
): Promise<TakenVideo> {
  const { path: from, field, format, name, motion = 'none' } = source
  if (!field.startsWith('files')) {
    const what = `the file is a picture (${name}). Name it in files, with a duration`
    throw new JobError('source_not_media', `${field}: ${what}.`)
  }
  const facts = await measurePicture(tools, { path: from, field, maxSeconds, format })
  const seconds = source.duration ?? (facts.kind === 'gif' ? facts.seconds : undefined)
  if (seconds === undefined) {
    const what = `Required: ${field} is a picture (${name}); say how many seconds it is shown`
    throw new JobError('source_not_media', `${beside(source, 'duration')}: ${what}.`)
  }
  const to = `${from}-drawn`
  const { width, height } = sizeOf({ facts, mostPixels: look.mostPixels })
  const pixels = width * height * seconds * fpsOf(look.rate)
  const isMoved = !look.isPlanned || movesQuickly(pixels, look.moving ?? 1)
  const drawn = { from, to, facts, seconds, motion: isMoved ? motion : 'none' } as const
  await drawPicture(tools, { ...look, ...drawn })
  return takenAs(tools, source, { ...look, to, maxSeconds })
}

async function takenAs(
  tools: ToolContext,
  { path: from, field }: SourceToTake,
  { to, maxSeconds, isPlanned }: { to: string } & Pick<SourceLook, 'maxSeconds' | 'isPlanned'>,
): Promise<TakenVideo> {
  // The job holds each source once.
  if (!isPlanned) await rm(path.join(tools.folder, from))
  const facts = await measureMedia(tools, {
    path: to,
    field,
    maxSeconds,
    isOurs: true,
    isResult: true,
  })
  return { path: to, facts, isDrawn: true }
}

/** Makes a clip without visible pictures from a file that has to be a sound. */
export async function takeSoundFile(
  tools: ToolContext,
  source: SourceToTake,
  maxSeconds: number,
): Promise<TakenVideo> {
  const sniffed = await sniffFile(tools.folder, source.path)
  if (sniffed.kind !== 'sound') {
    const { size } = await stat(path.join(tools.folder, source.path))
    const what = `the file is not a sound${foundAs(sniffed, size)}. Known are ${knownSounds}.`
    throw new JobError('element_unusable', `${source.field}: ${what}`)
  }
  const unseenLook = { maxSeconds, backgroundColor: '#000000', soundPicture: undefined }
  const look = lookOf(undefined, { ...unseenLook, isHeardOnly: true })
  return takeSound(tools, { ...source, ...sniffed }, look).catch(failElement)
}

/** The picture of such a clip. */
const unseen = { color: '#000000', width: 16, height: 16 }
const usualFrame = { width: 1_920, height: 1_080 }

async function takeSound(
  tools: ToolContext,
  source: SourceToTake & { readonly format: SoundSource; readonly name: string },
  look: SourceLook,
): Promise<TakenVideo> {
  const { path: from, field, format, name } = source
  const { maxSeconds, soundPicture, isHeardOnly, isPlanned } = look
  if (!isHeardOnly && !soundPicture) {
    const what = `the file is sound alone (${name}), and a video needs a picture`
    const ask = 'Set background or waveform, or ask for outputs that are sounds'
    throw new JobError('source_not_media', `${field}: ${what}. ${ask}.`)
  }
  const file = path.join(tools.folder, from)
  const held = { field, sizeBytes: (await stat(file)).size, maxSeconds }
  await checkClaims(file, format, held, tools.signal)
  const to = `${from}-drawn`
  const shown = isHeardOnly ? undefined : soundPicture
  await drawSound(tools, {
    ...look,
    ...{ from, to, field, demuxer: soundDemuxers[format] },
    ground: shown ? await groundOf(tools, shown, look) : unseen,
    waveColor: isPlanned ? undefined : shown?.waveColor,
  })
  return { ...(await takenAs(tools, source, { ...look, to })), isSoundAlone: true }
}

async function groundOf(
  tools: ToolContext,
  { field, ground, path: name }: SoundPicture,
  { maxSeconds, frame = usualFrame }: SourceLook,
): Promise<Ground> {
  if (name === undefined) return { color: ground, ...frame }
  const sniffed = await sniffFile(tools.folder, name)
  if (sniffed.kind !== 'picture') {
    throw new JobError(
      'source_not_media',
      `${field}: the file is not a picture. Known are ${knownPictures}.`,
    )
  }
  const { format } = sniffed
  const facts = await measurePicture(tools, { path: name, field, maxSeconds, format })
  return { path: name, facts }
}
