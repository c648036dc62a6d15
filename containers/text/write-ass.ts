import type { Color } from '../../worker/contract/options/picture/contrast.ts'
import type { FontRun } from './split-by-font.ts'

/** Text from one moment up to another, in hundredths of a second. */
export type AssEvent = {
  /** Events of a higher layer lie above those of lower ones. */
  readonly layer: number
  readonly from: number
  readonly to: number
  /** Override tags and text, both made by the functions below. */
  readonly content: string
}

type Canvas = {
  readonly width: number
  readonly height: number
  /** An existing font: without one, not even boxes are drawn. */
  readonly family: string
}

const styleFields = [
  ...['Name', 'Fontname', 'Fontsize', 'PrimaryColour', 'SecondaryColour', 'OutlineColour'],
  ...['BackColour', 'Bold', 'Italic', 'Underline', 'StrikeOut', 'ScaleX', 'ScaleY', 'Spacing'],
  ...['Angle', 'BorderStyle', 'Outline', 'Shadow', 'Alignment', 'MarginL', 'MarginR', 'MarginV'],
  'Encoding',
]

/** With this encoding the first letter of a line decides its direction. */
const byFirstLetter = -1

/** A subtitle file of the Advanced SubStation Alpha format, whose unit of length is one pixel of the picture. */
export function writeAss({ width, height, family }: Canvas, events: readonly AssEvent[]): string {
  const style = ['text', family, 16, ...Array.from({ length: 4 }, () => '&H00FFFFFF')]
  const plain = [0, 0, 0, 0, 100, 100, 0, 0, 1, 0, 0, 7, 0, 0, 0, byFirstLetter]
  return [
    '[Script Info]',
    'ScriptType: v4.00+',
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    'WrapStyle: 2',
    'ScaledBorderAndShadow: yes',
    '',
    '[V4+ Styles]',
    `Format: ${styleFields.join(', ')}`,
    `Style: ${[...style, ...plain].join(',')}`,
    '',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    ...events.map(
      ({ layer, from, to, content }) =>
        `Dialogue: ${layer},${clock(from)},${clock(to)},text,,0,0,0,,${content}`,
    ),
    '',
  ].join('\n')
}

/** `0:01:02.34` */
function clock(hundredths: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const seconds = Math.floor(hundredths / 100)
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${h}:${two(m)}:${two(s)}.${two(hundredths % 100)}`
}

const maxPixels = 100_000

function plain(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) > maxPixels) {
    throw new RangeError(`${value} cannot stand in a subtitle file`)
  }
  return String(Math.round(value * 100) / 100)
}

const hex = (value: number): string =>
  Math.round(Math.min(255, Math.max(0, value)))
    .toString(16)
    .toUpperCase()
    .padStart(2, '0')

/** The colour of fill (1), outline (3) or shadow (4). */
export function colorTags(part: 1 | 3 | 4, { red, green, blue, opacity }: Color): string {
  const alpha = hex(255 * (1 - opacity))
  return `\\${part}c&H${hex(blue)}${hex(green)}${hex(red)}&\\${part}a&H${alpha}&`
}

/** The place of a line: its top, and its left edge (7), middle (8) or right edge (9). */
export type LinePlace = { readonly align: 7 | 8 | 9; readonly x: number; readonly y: number }

export type Stroke = { readonly width: number; readonly color: Color; readonly blur: number }

/** The tags with which a line begins. */
export function lineTags(stand: LinePlace, size: number, fill: Color, stroke: Stroke | undefined) {
  const outline = stroke
    ? `\\bord${plain(stroke.width)}${colorTags(3, stroke.color)}\\blur${plain(stroke.blur)}`
    : '\\bord0'
  const place = `\\an${stand.align}\\pos(${plain(stand.x)},${plain(stand.y)})`
  return `{${place}\\fs${plain(size)}\\shad0${outline}${colorTags(1, fill)}}`
}

/** Runs of text with the tags that select their fonts. The direction is that of the whole paragraph, given once. */
export function writeRuns(runs: readonly FontRun[], isRightToLeft: boolean | undefined): string {
  const mark = isRightToLeft === undefined ? '' : isRightToLeft ? '\u200F' : '\u200E'
  return runs
    .map(({ family, text }, i) => `{\\fn${family}}${i === 0 ? mark : ''}${escapeText(text)}`)
    .join('')
}

/**
 * Text without tags. A backslash cannot be escaped: a zero-width joiner behind it keeps it from forming a tag with the next
 * letter.
 */
export function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\u2060').replaceAll('{', '\\{').replaceAll('}', '\\}')
}

type TextBox = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly radius: number
}

/** A filled box with round corners. */
export function writeBox(box: TextBox, color: Color): string {
  const { x, y, width, height } = box
  const r = Math.max(0, Math.min(box.radius, width / 2, height / 2))
  const k = r * 0.4477
  const p = (...values: number[]): string => values.map(plain).join(' ')
  const path = [
    `m ${p(r, 0)} l ${p(width - r, 0)} b ${p(width - k, 0, width, k, width, r)}`,
    `l ${p(width, height - r)} b ${p(width, height - k, width - k, height, width - r, height)}`,
    `l ${p(r, height)} b ${p(k, height, 0, height - k, 0, height - r)}`,
    `l ${p(0, r)} b ${p(0, k, k, 0, r, 0)}`,
  ].join(' ')
  const place = `\\an7\\pos(${plain(x)},${plain(y)})`
  return `{${place}\\bord0\\shad0${colorTags(1, color)}\\p1}${path}{\\p0}`
}
