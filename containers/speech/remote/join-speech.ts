import { unheardLanguage } from '../../../worker/contract/video/transcript.ts'
import type { Speech, SpeechSegment } from '../../timeline/speech.ts'
import { confidenceIn } from '../doubtful-text.ts'

/** Where the part lies in the whole sound, in seconds. */
type PartSpan = { readonly from: number; readonly to: number }
type SpeechPart = PartSpan & { readonly speech: Speech }

/** The speech of a sound whose parts were heard one by one: in the language of most of its text. */
export function joinSpeech(parts: readonly SpeechPart[]): Speech {
  const told = parts.map((part) => ({ ...part, chars: charsIn(part.speech) }))
  const spoken = told.filter(({ chars }) => chars > 0)
  const sure = spoken.flatMap(({ speech: { confidence }, chars }) =>
    confidence === undefined ? [] : [{ confidence, chars }],
  )
  const sureChars = sure.reduce((sum, { chars }) => sum + chars, 0)
  const sum = sure.reduce((total, { confidence, chars }) => total + confidence * chars, 0)
  const confidence = sureChars === 0 ? undefined : sum / sureChars
  const doubt = spoken.find(({ speech }) => speech.doubt !== undefined)?.speech.doubt
  return {
    language: languageOf(spoken),
    ...(confidence === undefined && doubt !== undefined ? { doubt } : confidenceIn(confidence)),
    segments: parts.flatMap(({ speech, ...part }) =>
      speech.segments.map(({ words, ...segment }) => ({
        ...placed(segment, part),
        ...(words && { words: words.map((word) => placed(word, part)) }),
      })),
    ),
  }
}

function languageOf(parts: readonly (SpeechPart & { readonly chars: number })[]): string {
  const chars = new Map<string, number>()
  for (const { speech, chars: own } of parts) {
    chars.set(speech.language, (chars.get(speech.language) ?? 0) + own)
  }
  const [most] = [...chars].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? unheardLanguage
}

function charsIn({ segments }: Speech): number {
  return segments.reduce((sum, { text }) => sum + text.length, 0)
}

/** Inside its part, whatever times a provider tells, and without the speaker, whom each part calls by another name. */
function placed<Said extends Pick<SpeechSegment, 'startTime' | 'endTime' | 'speaker'>>(
  said: Said,
  { from, to }: PartSpan,
): Said {
  const inside = (seconds: number): number => Math.min(to, from + Math.max(0, seconds))
  const moved: Said & { speaker?: string } = {
    ...{ ...said, startTime: inside(said.startTime), endTime: inside(said.endTime) },
  }
  delete moved.speaker
  return moved
}
