import type { Paint } from './paint.ts'
import { leftText } from './quantities.ts'
import { cutText, plainText, textWidth } from './text-width.ts'

/** Something under way. Without a fraction, nobody knows how long it will take. */
export type ProgressStep = {
  label: string
  /** From 0 to 1. */
  fraction?: number | undefined
  /** Such as `12 MB of 48 MB`; the first to go when the terminal is narrow. */
  detail?: string | undefined
  /** How long it still takes, as was told at this moment. */
  left?: (Parameters<typeof leftText>[0] & { atMs: number }) | undefined
}
/** `about 2 min left, 12 MB of 48 MB`. */
export function detailOf({ left, detail }: ProgressStep, nowMs: number): string {
  const time = left && leftText(left, (nowMs - left.atMs) / 1000)
  return [time, detail].filter((text) => text !== undefined).join(', ')
}

type LineLook = { columns: number; isUnicode: boolean; paint: Paint }

const longestBar = 30
const shortestBar = 8
const spinners = { unicode: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'], ascii: ['|', '/', '-', '\\'] }
/** In eighths of a cell. */
const partCells = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** One line that fits the terminal: a mark that moves, what is being done, a bar, details. */
export function progressLine(
  { label, fraction, detail }: ProgressStep,
  tick: number,
  look: LineLook,
): string {
  const { columns, isUnicode, paint } = look
  const frames = isUnicode ? spinners.unicode : spinners.ascii
  const spinner = frames[tick % frames.length] ?? ''
  // A line as wide as the terminal would make some of them begin another one.
  const room = columns - 1 - textWidth(spinner) - 1
  const percent =
    fraction === undefined ? '' : `${String(Math.floor(fraction * 100)).padStart(3)} %`
  const ellipsis = isUnicode ? '…' : '...'
  const name = cutText(
    plainText(label),
    Math.max(6, room - (percent === '' ? 0 : percent.length + 1)),
    ellipsis,
  )
  let left = room - textWidth(name)
  const take = (text: string) => {
    if (text === '' || left < textWidth(text) + 1) return ''
    left -= textWidth(text) + 1
    return ` ${text}`
  }
  const shownPercent = take(percent)
  const wantsBar = fraction !== undefined && left >= shortestBar + 3
  const barColumns = wantsBar ? Math.min(longestBar, left - 3) : 0
  if (wantsBar) left -= barColumns + 3
  const bar = wantsBar ? ` ${barText(fraction, barColumns, look)}` : ''
  return `${paint.cyan(spinner)} ${name}${bar}${shownPercent}${paint.dim(take(detail ?? ''))}`
}

function barText(fraction: number, columns: number, { isUnicode, paint }: LineLook): string {
  const eighths = Math.round(Math.max(0, Math.min(1, fraction)) * columns * 8)
  const full = Math.floor(eighths / 8)
  if (!isUnicode) return `[${'#'.repeat(full)}${'.'.repeat(columns - full)}]`
  const part = partCells[eighths % 8] ?? ''
  const rest = ' '.repeat(columns - full - part.length)
  return `▕${paint.green('█'.repeat(full) + part)}${rest}▏`
}
