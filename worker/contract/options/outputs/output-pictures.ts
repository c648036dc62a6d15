import type { FieldFault } from '../../answers/errors.ts'
import { listOf } from '../../answers/wording.ts'
import { limits } from '../../limits.ts'

/** Pictures that move, without a sound. */
const movingFormats = ['gif', 'webp'] as const
export type MovingFormat = (typeof movingFormats)[number]

/** Single pictures of the film. */
const stillFormats = ['jpg', 'png'] as const
export type StillFormat = (typeof stillFormats)[number]

/** All of these are made from the pictures of the film; a sprite is small ones on sheets, with their places as WebVTT. */
export const pictureFormats = [...movingFormats, ...stillFormats, 'sprite'] as const
export type PictureFormat = (typeof pictureFormats)[number]

export function isPicture(format: string | undefined): format is PictureFormat {
  return pictureFormats.some((one) => one === format)
}

export function isMoving(format: string | undefined): format is MovingFormat {
  return movingFormats.some((one) => one === format)
}

export function isStill(format: string | undefined): format is StillFormat {
  return stillFormats.some((one) => one === format)
}

/** The fields of an output that only some of its formats have, and how many pixels and seconds these may ask for. */
type PicturesRequest = {
  outputFormat?: string | undefined
  width?: number | undefined
  height?: number | undefined
  fps?: unknown
  /** The rate that `fps` means. */
  rate?: number | undefined
  captions?: unknown
  compressionQuality?: unknown
  startTime?: unknown
  duration?: number | undefined
  times?: unknown
  interval?: unknown
  videoCodec?: unknown
  maxBytes?: unknown
  maxBitrate?: unknown
}

export type FaultAt = (field: string, message: string) => FieldFault
type PicturesField = Exclude<keyof PicturesRequest, 'rate'>

function asFilm(format: PictureFormat) {
  const why = `Not used with ${format}; it belongs to a video`
  return { videoCodec: why, maxBytes: why, maxBitrate: why }
}

/** Fields without effect, and why. */
function unused({
  outputFormat: format,
}: PicturesRequest): Readonly<Partial<Record<PicturesField, string>>> {
  const times = `Not used with ${format ?? 'a video'}; it belongs to ${listOf(stillFormats)}`
  const interval = `Not used with ${format ?? 'a video'}; it belongs to sprite`
  const coded = isPicture(format) ? asFilm(format) : {}
  if (isMoving(format)) {
    const lossless = 'Not used with gif, which has no quality; width and fps make it smaller'
    return { ...coded, times, interval, ...(format === 'gif' && { compressionQuality: lossless }) }
  }
  if (isStill(format)) {
    const why = `Not used with ${format}, which holds single pictures; times says which`
    const one = { ...coded, startTime: why, duration: why, fps: why, interval }
    return format === 'jpg'
      ? one
      : { ...one, compressionQuality: 'Not used with png, which loses nothing' }
  }
  if (format === 'sprite') {
    return {
      ...coded,
      times,
      fps: 'Not used with sprite; interval says how far apart its pictures are',
      captions: 'Not used with sprite, whose pictures are too small for captions',
    }
  }
  return { times, interval }
}

/** Faults of the format of an output in combination with its fields of time and size. */
export function formatFaults(output: PicturesRequest, at: FaultAt): FieldFault[] {
  const idle = Object.entries(unused(output))
    .filter(([field]) => output[field as PicturesField] !== undefined)
    .map(([field, message]) => at(field, message))
  return [...idle, ...sizeFaults(output, at)]
}

function sizeFaults(
  { outputFormat, width, height, rate, duration }: PicturesRequest,
  at: FaultAt,
): FieldFault[] {
  const isSheet = outputFormat === 'sprite'
  if (!isSheet && !isMoving(outputFormat)) return []
  const most = isSheet ? limits.spriteSide : limits.movingSide
  const sides = Object.entries({ width, height })
    .filter(([, side]) => side !== undefined && side > most)
    .map(([field]) => at(field, `Must be at most ${most} with ${outputFormat}`))
  const isFast = !isSheet && rate !== undefined && rate > limits.movingFps
  const isLong = !isSheet && duration !== undefined && duration > limits.movingSeconds
  const longest = `Must be at most ${limits.movingSeconds} seconds with ${outputFormat}; a video may be longer`
  const fastest = `Must be at most ${limits.movingFps} with ${outputFormat}`
  return [
    ...sides,
    ...(isFast ? [at('fps', fastest)] : []),
    ...(isLong ? [at('duration', longest)] : []),
  ]
}
