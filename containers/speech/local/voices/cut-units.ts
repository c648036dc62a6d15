import type { SpeechStretch } from '../find-speech.ts'
import type { Timed } from '../../../../worker/contract/layout/word-left.ts'

/** Whether it continues the segment of the one before. */
type Continuing = { readonly goesOn: boolean }

/** In samples. */
export type VoiceStretch = SpeechStretch & Continuing

/** A stretch of words that probably have one voice: those from `first` up to, but not including, `end`. */
type VoiceUnit = Timed & Continuing & { readonly first: number; readonly end: number }

/** After a pause as short as this, another person may speak. */
const turnPause = 0.25
/** Long enough to recognise a voice, short enough for a turn of a conversation. */
const longest = 2

/** Divides words into stretches for recognising voices: at pauses, where a segment begins, and after two seconds. */
export function cutUnits(words: readonly (Timed & { readonly opens: boolean })[]): VoiceUnit[] {
  const units: VoiceUnit[] = []
  for (const [i, word] of words.entries()) {
    const unit = units.at(-1)
    const isSame =
      unit &&
      !word.opens &&
      word.startTime - unit.endTime < turnPause &&
      word.endTime - unit.startTime <= longest
    if (isSame) units[units.length - 1] = { ...unit, endTime: word.endTime, end: i + 1 }
    else {
      const { startTime, endTime, opens } = word
      units.push({ startTime, endTime, first: i, end: i + 1, goesOn: !opens && i > 0 })
    }
  }
  return units
}
