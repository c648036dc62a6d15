import type { Color } from '../../worker/contract/options/picture/contrast.ts'
import type { TextBlock } from './lay-out-text.ts'
import {
  lineTags,
  writeAss,
  writeBox,
  writeRuns,
  type AssEvent,
  type LinePlace,
  type Stroke,
} from './write-ass.ts'

/** How text looks; all lengths in pixels. */
export type TextLook = {
  readonly fill: Color
  readonly outline: { readonly color: Color; readonly width: number } | undefined
  readonly shadow:
    | { readonly color: Color; readonly distance: number; readonly blur: number }
    | undefined
  readonly box: { readonly color: Color; readonly padding: number } | undefined
  readonly align: 'left' | 'center' | 'right'
  readonly lineHeight: number
}

/** A picture of a text: its size, and the subtitle file that draws it. */
export type DrawnText = {
  readonly width: number
  readonly height: number
  readonly ass: string
  readonly families: ReadonlySet<string>
}

const always = { from: 0, to: 100 }
/** How far a blur of one pixel reaches. */
const blurReach = 3
const boxRadius = 0.15
/** Letters such as f and j reach beyond the width that their font gives. */
const overhang = 0.12

/** The room that outline, shadow and box need around the text. */
export function marginOf({ outline, shadow, box }: TextLook, fontSize: number): number {
  const stroke = outline?.width ?? 0
  const cast = shadow ? stroke + shadow.distance + shadow.blur * blurReach : 0
  return Math.ceil(Math.max(stroke + fontSize * overhang, cast, box?.padding ?? 0))
}

/** Draws a text on a picture of its own that is just large enough; undefined if nothing of it can be drawn. */
export function pictureOfText(block: TextBlock, look: TextLook): DrawnText | undefined {
  const families = new Set(block.lines.flatMap(({ runs }) => runs.map(({ family }) => family)))
  const [family] = families
  if (family === undefined) return undefined
  const margin = marginOf(look, block.fontSize)
  const width = Math.ceil(block.width) + 2 * margin
  const height = Math.ceil(block.height) + 2 * margin
  const box = look.box && {
    ...{ x: margin - look.box.padding, y: margin - look.box.padding },
    width: width - 2 * (margin - look.box.padding),
    height: height - 2 * (margin - look.box.padding),
    radius: block.fontSize * boxRadius,
  }
  const events: AssEvent[] = [
    ...(box && look.box ? [{ ...always, layer: 0, content: writeBox(box, look.box.color) }] : []),
    ...block.lines.flatMap((_line, i) => writeLine(block, i, { look, margin, width })),
  ]
  return { width, height, ass: writeAss({ width, height, family }, events), families }
}

function writeLine(
  block: TextBlock,
  index: number,
  { look, margin, width }: { look: TextLook; margin: number; width: number },
): AssEvent[] {
  const line = block.lines[index]
  if (!line || line.runs.length === 0) return []
  const { fontSize } = block
  const { fill, outline, shadow, align, lineHeight } = look
  const content = writeRuns(line.runs, line.isRightToLeft)
  const top = margin + index * lineHeight * fontSize + ((lineHeight - 1) / 2) * fontSize
  const stand = {
    left: { align: 7, x: margin, y: top },
    center: { align: 8, x: width / 2, y: top },
    right: { align: 9, x: width - margin, y: top },
  } satisfies Record<TextLook['align'], LinePlace>
  const stroke: Stroke | undefined = outline && { ...outline, blur: 0 }
  const front = { layer: 2, content: lineTags(stand[align], fontSize, fill, stroke) + content }
  if (!shadow) return [{ ...always, ...front }]
  const { color, distance, blur } = shadow
  const moved = { ...stand[align], x: stand[align].x + distance, y: top + distance }
  const cast = { width: outline?.width ?? 0, color, blur }
  const behind = { layer: 1, content: lineTags(moved, fontSize, color, cast) + content }
  return [
    { ...always, ...behind },
    { ...always, ...front },
  ]
}
