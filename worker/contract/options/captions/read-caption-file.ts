import { longestLetter, tooLongLetter } from './letters.ts'
import { textFileLimits } from '../../limits.ts'
import type { TimedText } from '../../captions/caption-words.ts'

/** A text from one second up to another; words have times of their own if the file gives them. */
export type Cue = TimedText & { readonly words?: readonly TimedText[] }

type ParsedCues =
  | { readonly ok: true; readonly cues: readonly Cue[] }
  | { readonly ok: false; readonly fault: string }

/** The time line of a cue; hours and the index before it may be absent, and SRT and VTT differ in the mark only. */
const timeLine =
  /^\s*((?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3})[ \t]*-->[ \t]*((?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3})(?:[ \t].*)?$/

const exampleLine = '00:00:01,000 --> 00:00:02,500'
const shownChars = 40

/**
 * Reads the text of an SRT or VTT file. Formatting and the settings of cues are left out, the times of words inside a
 * cue are kept. A fault names its line.
 */
export function readCaptionFile(text: string): ParsedCues {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const isVtt = /^WEBVTT(?:[ \t].*)?$/.test(lines[0] ?? '')
  const cues: Cue[] = []
  for (let at = isVtt ? endOfBlock(lines, 0) : 0; at < lines.length;) {
    if ((lines[at] ?? '').trim() === '') {
      at++
      continue
    }
    const end = endOfBlock(lines, at)
    const block = { lines: lines.slice(at, end), first: at + 1 }
    const read = isVtt && isAside(block.lines[0] ?? '') ? [] : readBlock(block, isVtt)
    if (typeof read === 'string') return { ok: false, fault: read }
    cues.push(...read)
    if (cues.length > textFileLimits.captionCues) {
      return { ok: false, fault: `line ${at + 1}: more than ${textFileLimits.captionCues} cues` }
    }
    at = end
  }
  if (cues.length === 0) return { ok: false, fault: `line 1: no cue such as ${exampleLine}` }
  return { ok: true, cues }
}

function endOfBlock(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && (lines[at] ?? '').trim() !== '') at++
  return at
}

/** What VTT allows between cues. */
function isAside(line: string): boolean {
  return /^(NOTE|STYLE|REGION)(\s|$)/.test(line)
}

type Block = { readonly lines: readonly string[]; readonly first: number }

/** The cues of a block; several if the blank lines between them are missing. A text if something is wrong. */
function readBlock({ lines, first }: Block, isVtt: boolean): Cue[] | string {
  const starts = lines.flatMap((line, i) => (line.includes('-->') ? [i] : []))
  const [begin] = starts
  if (begin === undefined || begin > 1) return badLine(first + Math.min(1, lines.length - 1), lines)
  const cues: Cue[] = []
  for (const [i, at] of starts.entries()) {
    const match = timeLine.exec(lines[at] ?? '')
    if (!match) return badLine(first + at, lines, at)
    const [startTime, endTime] = [secondsOf(match[1] ?? ''), secondsOf(match[2] ?? '')]
    if (endTime < startTime) return `line ${first + at}: the cue ends before it starts`
    const next = starts[i + 1] ?? lines.length
    const rows = lines
      .slice(at + 1, next)
      .filter((row, j) => !isIndex(row, at + 1 + j, next, lines))
    const words = wordsOf(rows.join('\n'), { startTime, endTime }, isVtt)
    const text = words.map((word) => word.text).join(' ')
    const fault = faultOfCue(text)
    if (fault !== undefined) return `line ${first + at}: ${fault}`
    if (text === '' || endTime === startTime) continue
    cues.push({ startTime, endTime, text, ...(words.length > 1 && { words }) })
  }
  return cues
}

function faultOfCue(text: string): string | undefined {
  const { cueLength } = textFileLimits
  if (text.length > cueLength) {
    return `the cue has ${text.length.toLocaleString('en')} characters; at most ${cueLength.toLocaleString('en')} are allowed`
  }
  const letter = tooLongLetter(text)
  if (letter === undefined) return undefined
  return `one letter of the cue has ${letter.toLocaleString('en')} characters, its marks and joiners among them; at most ${longestLetter} are allowed`
}

/** The index of the next cue, if no blank line is before it. */
function isIndex(row: string, at: number, next: number, lines: readonly string[]): boolean {
  return next < lines.length && at === next - 1 && /^\d+$/.test(row.trim())
}

function badLine(line: number, lines: readonly string[], at = Math.min(1, lines.length - 1)) {
  const found = (lines[at] ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, shownChars)
  return `line ${line}: expected a time such as ${exampleLine}, not "${found}"`
}

function secondsOf(time: string): number {
  const [clock = '', part = ''] = time.split(/[.,]/)
  const whole = clock.split(':').reduce((sum, value) => sum * 60 + Number(value), 0)
  return whole + Number(part.padEnd(3, '0')) / 1000
}

const tags = {
  /** In VTT everything in angle brackets is a tag. */
  vtt: /<[^<>\n]{0,200}>/g,
  // Only those that players know, so that a < b stays.
  srt: /<\/?(?:i|b|u|s|em|strong|font|c|v|span)(?:[ .][^<>\n]{0,200})?>|\{\\[^{}\n]{0,200}\}/gi,
}

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', apos: "'", lrm: '', rlm: '' },
}

function plainOf(text: string, isVtt: boolean): string {
  const bare = text.replace(isVtt ? tags.vtt : tags.srt, '')
  const named = bare.replace(/&(\w{2,4});/g, (whole, name: string) => entities[name] ?? whole)
  return named.replace(/\s+/gu, ' ').trim()
}

const wordTime = /<((?:\d{1,3}:)?\d{1,2}:\d{1,2}[.,]\d{1,3})>/g

/** The text of a cue, split where it tells the time of a word. */
function wordsOf(
  text: string,
  { startTime, endTime }: { startTime: number; endTime: number },
  isVtt: boolean,
): TimedText[] {
  const parts = text.split(wordTime)
  const pieces = parts.flatMap((part, i) =>
    i % 2 === 1 ? [] : [{ at: i === 0 ? startTime : secondsOf(parts[i - 1] ?? ''), part }],
  )
  let last = startTime
  const timed = pieces.map(({ at, part }) => {
    last = Math.min(endTime, Math.max(last, at))
    return { startTime: last, text: plainOf(part, isVtt) }
  })
  return timed
    .map((piece, i) => ({ ...piece, endTime: timed[i + 1]?.startTime ?? endTime }))
    .filter((piece) => piece.text !== '')
}
