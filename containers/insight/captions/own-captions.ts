import type { CaptionSource } from '../../../worker/contract/options/captions/captions.ts'
import { captionWord } from '../../../worker/contract/options/captions/captions.ts'
import {
  readCaptionFile,
  type Cue,
} from '../../../worker/contract/options/captions/read-caption-file.ts'
import { textFileLimits } from '../../../worker/contract/limits.ts'
import { parseInput } from '../../../worker/contract/input/parse-input.ts'
import { parseJsonBody } from '../../../worker/contract/input/read-json.ts'
import { makeSegments } from '../../speech/make-segments.ts'
import { unheardLanguage } from '../../../worker/contract/video/transcript.ts'
import type { Speech, SpeechSegment, Word } from '../../timeline/speech.ts'
import { shareTime } from '../../../worker/contract/captions/caption-words.ts'

/** The customer's own captions; `isCues` if they must be shown exactly as long as they say. */
type OwnCaptions = {
  readonly speech: Speech
  readonly isCues: boolean
  /** How many cues are still shown when the next one begins. */
  readonly overlaps: number
}

/** Why a file of captions cannot be used, with its line or entry, as the end of a sentence. */
export class CaptionFault extends Error {
  override name = 'CaptionFault'
}

/** Reads captions from the request, or from the bytes of the file that it names. */
export function readOwnCaptions(
  source: CaptionSource,
  file: Uint8Array | undefined,
  language: string | undefined,
): OwnCaptions {
  if (source.words) return fromWords(source.words, language)
  const text = source.text ?? decode(file ?? new Uint8Array())
  if (source.text === undefined && /^[[{]/.test(text.trimStart())) {
    return fromWords(wordsOfJson(text), language)
  }
  const read = readCaptionFile(text)
  if (!read.ok) throw new CaptionFault(read.fault)
  const all = read.cues.map((cue) => cue.text).join(' ')
  const segments = oneAtATime(read.cues.map(segmentOf))
  const overlaps = segments.filter(({ endTime }, i) => {
    const next = segments[i + 1]
    return next !== undefined && endTime > next.startTime
  })
  const speech = { language: language ?? scriptOf(all), segments }
  return { speech, isCues: true, overlaps: overlaps.length }
}

function fromWords(words: readonly Word[], language: string | undefined): OwnCaptions {
  const sorted = words.toSorted((a, b) => a.startTime - b.startTime)
  const known = language ?? scriptOf(words.map(({ text }) => text).join(' '))
  return {
    speech: { language: known, segments: makeSegments(sorted, known) },
    isCues: false,
    overlaps: 0,
  }
}

/** A text before the first timed word, or between two, may be several words: they share its time. */
function segmentOf({ words, ...cue }: Cue): SpeechSegment {
  const timed = words?.flatMap((piece) => shareTime(piece, piece.text.split(' ')))
  return timed ? { ...cue, words: timed } : cue
}

/** Sorted by time. Cues that begin together, such as those of two speakers, are shown together. */
function oneAtATime(cues: readonly SpeechSegment[]): SpeechSegment[] {
  const shown: SpeechSegment[] = []
  for (const cue of cues.toSorted((a, b) => a.startTime - b.startTime)) {
    const before = shown.at(-1)
    if (before?.startTime !== cue.startTime) shown.push(cue)
    else {
      const endTime = Math.max(before.endTime, cue.endTime)
      const text = `${before.text} ${cue.text}`
      shown[shown.length - 1] = { startTime: cue.startTime, endTime, text }
    }
  }
  return shown
}

/** Words as JSON: a list, or the transcript that this service writes. */
function wordsOfJson(text: string): Word[] {
  const read = parseJsonBody(text)
  if (!read.ok) throw new CaptionFault('is not valid JSON')
  const entries = listIn(read.value)
  if (!entries || entries.length === 0) {
    throw new CaptionFault(
      'has no words such as [{"text": "Hello,", "startTime": 0.5, "endTime": 0.9}]',
    )
  }
  if (entries.length > textFileLimits.captionCues) {
    throw new CaptionFault(`has more than ${textFileLimits.captionCues} words`)
  }
  return entries.map((entry, i) => {
    const parsed = parseInput(captionWord, entry)
    if (parsed.ok) return parsed.value
    const [fault] = parsed.faults
    throw new CaptionFault(
      `[${i}]${fault?.field ? `.${fault.field}` : ''}: ${fault?.message ?? ''}`,
    )
  })
}

function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[]
  if (typeof value !== 'object' || value === null) return undefined
  const { words, segments } = value as { words?: unknown; segments?: unknown }
  if (Array.isArray(words)) return words as unknown[]
  if (!Array.isArray(segments)) return undefined
  return segments.flatMap((segment: unknown) =>
    (listIn(segment) ?? []).map((word) => {
      const { text, startTime, endTime } = (word ?? {}) as Record<string, unknown>
      return { text, startTime, endTime }
    }),
  )
}

/** Old subtitle files are in the code page of the system on which they were written. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The language, if the letters tell it; it decides where words end and which shapes characters have. */
function scriptOf(text: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja'
  if (/\p{Script=Hangul}/u.test(text)) return 'ko'
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  if (/\p{Script=Greek}{2}/u.test(text)) return 'el'
  return /\p{Script=Thai}/u.test(text) ? 'th' : unheardLanguage
}
