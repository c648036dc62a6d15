import type { TranscriptFile, TranscriptSegment } from '../video/transcript.ts'
import { joinTexts } from './unspaced.ts'

export type Caption = {
  readonly startMs: number
  readonly endMs: number
  /** One line or two. */
  readonly lines: readonly string[]
  readonly speaker?: string | undefined
}

/** `00:01:02,345` */
function clock(ms: number, mark: ',' | '.'): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1_000)
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${two(h)}:${two(m)}:${two(s)}${mark}${String(ms % 1_000).padStart(3, '0')}`
}

function timing({ startMs, endMs }: Caption, mark: ',' | '.'): string {
  return `${clock(startMs, mark)} --> ${clock(endMs, mark)}`
}

/** SRT cannot escape text: `-->` in a caption would look like a time, so another arrow replaces it. */
export function writeSrt(captions: readonly Caption[]): string {
  const blocks = captions.map((caption, i) => {
    const { speaker } = caption
    // SRT has no mark for a voice: the name is written where another person begins.
    const name = speaker === undefined || speaker === captions[i - 1]?.speaker ? '' : `${speaker}: `
    const lines = caption.lines.map((line, n) =>
      `${n === 0 ? name : ''}${line}`.replaceAll('-->', '→'),
    )
    return [String(i + 1), timing(caption, ','), ...lines, ''].join('\n')
  })
  // Never write an empty file: storage rejects one.
  return blocks.length > 0 ? blocks.join('\n') : '\n'
}

export function writeVtt(captions: readonly Caption[]): string {
  const blocks = captions.map((caption) =>
    [timing(caption, '.'), ...voiced(caption), ''].join('\n'),
  )
  return ['WEBVTT\n', ...blocks].join('\n')
}

/** The voice holds for the whole cue. */
function voiced({ lines, speaker }: Caption): string[] {
  const [first = '', ...others] = lines.map(escapeVtt)
  return [speaker === undefined ? first : `<v ${escapeVtt(speaker)}>${first}`, ...others]
}

function escapeVtt(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function unescapeVtt(line: string): string {
  return line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** Reads captions that `writeVtt` has written. */
export function readVtt(text: string): Caption[] {
  const [, ...blocks] = text.split('\n\n')
  return blocks.flatMap((block) => {
    const [times = '', ...lines] = block.replace(/\n$/, '').split('\n')
    const [start, end] = times.split(' --> ').map(readClock)
    if (start === undefined || end === undefined) return []
    const [, voice, first = ''] = /^(?:<v ([^>]*)>)?(.*)$/s.exec(lines[0] ?? '') ?? []
    const shown = [first, ...lines.slice(1)].map(unescapeVtt)
    const speaker = voice === undefined ? {} : { speaker: unescapeVtt(voice) }
    return [{ startMs: start, endMs: end, lines: shown, ...speaker }]
  })
}

/** Cues that `writeVtt` has written, with other names for the speakers. The text of a cue never contains `<`. */
export function renameVoices(vtt: string, nameOf: (speaker: string) => string): string {
  return vtt.replaceAll(
    /^<v ([^>\n]*)>/gm,
    (_, speaker: string) => `<v ${escapeVtt(nameOf(unescapeVtt(speaker)))}>`,
  )
}

function readClock(clock: string): number {
  const [s = 0, m = 0, h = 0] = clock.split(':').map(Number).reverse()
  return Math.round((h * 3_600 + m * 60 + s) * 1_000)
}

/** The whole text; in paragraphs with the names of the speakers, if these are known. */
export function writeText({ segments, text, language }: TranscriptFile): string {
  if (segments.every(({ speaker }) => speaker === undefined)) return `${text}\n`
  const turns: TranscriptSegment[][] = []
  for (const segment of segments) {
    if (turns.at(-1)?.[0]?.speaker === segment.speaker) turns.at(-1)?.push(segment)
    else turns.push([segment])
  }
  const paragraphs = turns.map((turn) => {
    const said = joinTexts(
      turn.map((one) => one.text),
      language,
    )
    const name = turn[0]?.speaker
    return name === undefined ? said : `${name}: ${said}`
  })
  return `${paragraphs.join('\n\n')}\n`
}
