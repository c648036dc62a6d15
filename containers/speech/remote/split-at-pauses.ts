import { findSpeech } from '../local/find-speech.ts'
import { quietestPoint } from '../local/make-windows.ts'
import { sampleRate, type Sound } from '../local/sound-file.ts'
import type { VoiceActivity } from '../../sound/pauses/voice-activity.ts'

/** In samples. */
export type SoundPart = { readonly from: number; readonly to: number }

/** A part ends within this last share of its longest length, at the longest pause there. */
const lastShare = 0.25
/** Two words are at least this far apart, in samples. */
const leastPause = 0.2 * sampleRate
const quietReach = 0.1 * sampleRate

const settings = { on: 0.4, off: 0.25, leastPause, leastSpeech: 0 }

/**
 * Parts that follow each other without a gap, each of at most `longest` samples. They meet in the middle of pauses; where
 * nobody pauses for minutes, at the quietest point.
 */
export async function splitAtPauses(
  sound: Sound,
  { probabilities, blockSamples }: VoiceActivity,
  longest: number,
): Promise<SoundPart[]> {
  const spoken = findSpeech(probabilities, blockSamples, settings)
  const pauses = spoken.flatMap(({ end }, i): SoundPart[] => {
    const next = spoken[i + 1]?.start ?? sound.length
    return next - end >= leastPause ? [{ from: end, to: next }] : []
  })
  const parts: SoundPart[] = []
  let from = 0
  while (sound.length - from > longest) {
    const range = { from: from + Math.floor(longest * (1 - lastShare)), to: from + longest }
    const to = middleOfLongest(pauses, range) ?? (await quietestIn(sound, range))
    parts.push({ from, to })
    from = to
  }
  return [...parts, { from, to: sound.length }]
}

function middleOfLongest(pauses: readonly SoundPart[], range: SoundPart): number | undefined {
  let best: SoundPart | undefined
  for (const pause of pauses) {
    const inside = {
      from: Math.max(pause.from, range.from),
      to: Math.min(pause.to, range.to),
    }
    const length = inside.to - inside.from
    if (length >= leastPause && length > (best ? best.to - best.from : 0)) best = inside
  }
  return best && Math.floor((best.from + best.to) / 2)
}

async function quietestIn(sound: Sound, { from, to }: SoundPart): Promise<number> {
  const samples = await sound.read(from, to)
  return from + quietestPoint(samples, 0, samples.length - quietReach, quietReach)
}
