import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import type { SetCaption } from '../../text/caption-track.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { OutputSpan } from '../elements/element-timing.ts'
import type { VisualMedia } from '../elements/open-element.ts'

/** Something that is drawn over a film while it lasts, in seconds of the finished film. */
export type Drawn = OutputSpan & {
  /** The bytes of its pictures, besides those of the film below it. */
  readonly bytesPerSecond: number
  /** The codec of its file, if that is a film. */
  readonly codec?: string
}

/** A still picture is stored again with every key picture. */
const stillBytesOfPixel = 0.12
const movingBytesOfPixel = 0.06
/** Captions cover about this much of the frame, and change about once a second. */
const captionShare = 0.12
const captionBytesOfPixel = 0.2

type DrawnMedia = { readonly media: VisualMedia; readonly size: Size; readonly span: OutputSpan }

export function drawnElement({ media: { facts }, size, span }: DrawnMedia): Drawn {
  const pixels = size.width * size.height
  if (facts.kind === 'still') return { ...span, bytesPerSecond: pixels * stillBytesOfPixel }
  if (facts.kind === 'gif') {
    const rate = facts.frames / Math.max(0.04, facts.seconds)
    return { ...span, bytesPerSecond: pixels * rate * movingBytesOfPixel }
  }
  const { video } = facts.media
  const share = Math.min(1, pixels / (video.width * video.height))
  return { ...span, bytesPerSecond: bytesPerSecondOf(facts.media) * share, codec: video.codec }
}

function bytesPerSecondOf({ video, sizeBytes, durationSeconds }: MediaFacts): number {
  return video.bitRate === undefined
    ? sizeBytes / Math.max(0.04, durationSeconds)
    : video.bitRate / 8
}

export function drawnCaptions(captions: readonly SetCaption[], { width, height }: Size): Drawn[] {
  const bytesPerSecond = width * height * captionShare * captionBytesOfPixel
  return captions.map(({ startTime: start, endTime: end }) => ({ start, end, bytesPerSecond }))
}

/** The parts drawn on a stretch of the film, in seconds of that stretch. */
export function drawnWithin(drawn: readonly Drawn[], { start, end }: OutputSpan): Drawn[] {
  return drawn.map((one) => ({
    ...one,
    start: Math.max(0, one.start - start),
    end: Math.min(end, one.end) - start,
  }))
}
