import type { CaptionLook, CaptionTrack, SetCaption, SetLine } from '../../text/caption-track.ts'
import { opposite } from '../../text/colors.ts'
import type { Color } from '../../../worker/contract/options/picture/contrast.ts'
import {
  colorTags,
  lineTags,
  writeAss,
  writeBox,
  writeRuns,
  type AssEvent,
} from '../../text/write-ass.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { lumaShares } from '../color/limited-yuv.ts'
import { boxPadding } from '../../../worker/contract/captions/caption-room.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'

type CaptionGround = {
  /** The picture that is drawn on. */
  readonly size: Size
  /** The frame in whose middle captions are placed; it may be a pixel smaller than the picture. */
  readonly frame: Size
  readonly frameRate: FrameRate
  readonly hasConstantRate: boolean
  readonly colorMatrix: ColorMatrix
}

/** As a share of the font size. */
const outlineShare = 0.09
const shadowShare = { distance: 0.05, blur: 0.05 } as const
const radiusShare = 0.2

/** The subtitle file of all captions. */
export function writeCaptions({ captions, look, families }: CaptionTrack, ground: CaptionGround) {
  const events = captions.flatMap((caption) => {
    const own = caption.fill ? { ...look, fill: caption.fill } : look
    return writeCaption(caption, own, ground)
  })
  return writeAss({ ...ground.size, family: families[0] ?? '' }, events)
}

/**
 * The hundredth of a second at which libass shows something from the frame nearest to a moment on: half a frame earlier,
 * because times of frames are rounded too.
 */
export function hundredthOf(
  seconds: number,
  { frameRate, hasConstantRate }: Pick<CaptionGround, 'frameRate' | 'hasConstantRate'>,
): number {
  if (!hasConstantRate) return Math.max(0, Math.round(seconds * 100))
  const fps = fpsOf(frameRate)
  return Math.max(0, Math.round(((Math.round(seconds * fps) - 0.5) / fps) * 100))
}

function writeCaption(caption: SetCaption, look: CaptionLook, ground: CaptionGround): AssEvent[] {
  const { startTime, endTime, lines } = caption
  const span = { from: hundredthOf(startTime, ground), to: hundredthOf(endTime, ground) }
  if (span.to <= span.from) return []
  const { fontSize, lineHeight, box } = look
  const top = caption.top ?? look.topOf(lines.length)
  const paint = (color: Color): Color => drawnColor(color, ground.colorMatrix)
  const middle = ground.frame.width / 2
  const widest = Math.max(...lines.map(({ width }) => width)) + 2 * boxPadding.x * fontSize
  const around = {
    ...{ x: middle - widest / 2, width: widest, radius: radiusShare * fontSize },
    y: top - boxPadding.y * fontSize,
    height: (lines.length * lineHeight + 2 * boxPadding.y) * fontSize,
  }
  return [
    ...(box ? [{ layer: 0, ...span, content: writeBox(around, paint(box)) }] : []),
    ...lines.flatMap((line, i) => {
      const y = top + (i * lineHeight + (lineHeight - 1) / 2) * fontSize
      return writeLine(line, { caption, look, ground, span, x: middle, y, paint })
    }),
  ]
}

type LineSetting = {
  caption: SetCaption
  look: CaptionLook
  ground: CaptionGround
  span: { from: number; to: number }
  x: number
  y: number
  paint: (color: Color) => Color
}

function writeLine(line: SetLine, setting: LineSetting): AssEvent[] {
  const { look, span, x, y, paint, caption } = setting
  const { fontSize, fill, box } = look
  const stand = { align: 8, x, y } as const
  const edge = { width: fontSize * outlineShare, color: paint(opposite(fill)), blur: 0 }
  const front = lineTags(stand, fontSize, paint(fill), box ? undefined : edge)
  const texts = statesOf(line, setting).map(({ said, ...times }) => ({
    layer: 2,
    ...times,
    content: front + writeWords(line, said, setting),
  }))
  if (box) return texts
  const moved = {
    ...stand,
    x: x + fontSize * shadowShare.distance,
    y: y + fontSize * shadowShare.distance,
  }
  const cast = { ...edge.color, opacity: 0.6 }
  const shadow = { width: edge.width, color: cast, blur: fontSize * shadowShare.blur }
  const runs = line.words.flatMap((word) => word.runs)
  const behind = lineTags(moved, fontSize, cast, shadow) + writeRuns(runs, caption.isRightToLeft)
  return [{ layer: 1, ...span, content: behind }, ...texts]
}

type CaptionState = { from: number; to: number; said: number | undefined }

/** The spans in which a line looks the same: which word is being spoken, if any. */
function statesOf({ words }: SetLine, { look, span, ground }: LineSetting): CaptionState[] {
  if (look.highlight === undefined) return [{ ...span, said: undefined }]
  const states: CaptionState[] = []
  let at = span.from
  const until = (to: number, said: number | undefined): void => {
    const end = Math.min(span.to, Math.max(at, to))
    if (end > at) states.push({ from: at, to: end, said })
    at = end
  }
  for (const [said, { startTime, endTime }] of words.entries()) {
    until(hundredthOf(startTime, ground), undefined)
    until(hundredthOf(endTime, ground), said)
  }
  until(span.to, undefined)
  return states
}

function writeWords(
  { words }: SetLine,
  said: number | undefined,
  { caption, look, paint }: LineSetting,
): string {
  const { fill, highlight, box } = look
  const colored = (color: Color): string =>
    `{${colorTags(1, paint(color))}${box ? '' : colorTags(3, paint(opposite(color)))}}`
  return words
    .map(({ runs }, i) => {
      // Only the first word of a line decides its direction.
      const text = writeRuns(runs, i === 0 ? caption.isRightToLeft : undefined)
      return highlight && i === said ? colored(highlight) + text + colored(fill) : text
    })
    .join('')
}

/**
 * The colour to request so that this one is seen: ffmpeg 5.1 draws subtitles with the matrix of BT.601 on every picture. Strong
 * colours can be off a little, because not every pair of matrices has the same range.
 */
function drawnColor(color: Color, matrix: ColorMatrix): Color {
  if (matrix === 'bt601') return color
  const { red, blue } = lumaShares[matrix]
  const brightness = red * color.red + (1 - red - blue) * color.green + blue * color.blue
  const toBlue = (color.blue - brightness) / (2 - 2 * blue)
  const toRed = (color.red - brightness) / (2 - 2 * red)
  const { red: r, blue: b } = lumaShares.bt601
  const asRed = brightness + (2 - 2 * r) * toRed
  const asBlue = brightness + (2 - 2 * b) * toBlue
  const asGreen = (brightness - r * asRed - b * asBlue) / (1 - r - b)
  const inRange = (value: number): number => Math.min(255, Math.max(0, value))
  return { ...color, red: inRange(asRed), green: inRange(asGreen), blue: inRange(asBlue) }
}
