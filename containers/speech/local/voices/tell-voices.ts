import { sampleRate, type Sound } from '../sound-file.ts'
import type { Turns } from '../turns.ts'
import type { VoiceStretch } from './cut-units.ts'
import { groupVoices, type VoiceGroups, type VoicePrint } from './group-voices.ts'
import type { VoiceModel } from './voice-model.ts'

/** The model needs this much to make a frame or two of. */
const leastSamples = 0.1 * sampleRate

type Stretches = {
  readonly sound: Sound
  readonly stretches: readonly VoiceStretch[]
  readonly turns: Turns
}

/** Tells who speaks in which stretch: two people are two groups. An hour of speech makes prints of some 12 MB. */
export async function tellVoices(
  model: VoiceModel,
  { sound, stretches, turns }: Stretches,
  count: number | undefined,
): Promise<VoiceGroups> {
  const prints: VoicePrint[] = []
  for (const { start, end, goesOn } of stretches) {
    const samples = await sound.read(start, Math.max(end, start + leastSamples))
    const values = await turns.take(async () => model.print(samples))
    prints.push({ values, seconds: (end - start) / sampleRate, goesOn })
  }
  return turns.take(async () => Promise.resolve(groupVoices(prints, count)))
}
