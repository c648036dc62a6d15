import { rate, speak, type Voice } from './voices.ts'
import { hesitate, type Hesitation } from './hesitation.ts'

/** What stands between the two halves of a sentence: a word, or a held vowel with its pitch in relation to the voice. */
type Insert =
  | { readonly say: string }
  | { readonly hold: Omit<Hesitation, 'hertz' | 'size' | 'seed'> & { readonly pitch: number } }

/** In seconds of the talk. */
export type Label = { readonly from: number; readonly to: number }

const halves: readonly (readonly [string, string])[] = [
  ['The train to the coast', 'leaves at a quarter past nine.'],
  ['She asked whether anybody', 'had seen the small brown dog.'],
  ['Please turn off the lights', 'before you leave the office.'],
]

/** The middle of the pitch of each voice, in hertz, and the size of its mouth. */
const people: Readonly<Record<Voice, { hertz: number; size: number }>> = {
  slt: { hertz: 172, size: 1.15 },
  rms: { hertz: 92, size: 1 },
  awb: { hertz: 128, size: 1 },
}

/** In seconds, before and behind an insert; one after the other. */
const pauses = [0.2, 0.35, 0.15, 0.5, 0.25, 0.8]
const sentencePause = 0.9
const level = 0.06
/** A voice that hesitates is a little softer. */
const softer = 0.75

/** Sentences of one voice, each with an insert in its middle, and where the inserts are. */
export async function makeTalk(
  voice: Voice,
  inserts: readonly Insert[],
): Promise<{ samples: Float32Array; labels: Label[] }> {
  const parts: Float32Array[] = []
  const labels: Label[] = []
  let length = 0
  const add = (samples: Float32Array): Label => {
    const from = length / rate
    parts.push(samples)
    length += samples.length
    return { from, to: length / rate }
  }
  const rest = (seconds = 0) => add(new Float32Array(Math.round(seconds * rate)))
  for (const [i, insert] of inserts.entries()) {
    const [before = '', behind = ''] = halves[i % halves.length] ?? []
    rest(sentencePause)
    add(atLevel(await speak(voice, before), level))
    rest(pauses[i % pauses.length])
    labels.push(add(atLevel(await soundOf(insert, voice, i), level * softer)))
    rest(pauses[(i + 2) % pauses.length])
    add(atLevel(await speak(voice, behind), level))
  }
  rest(1)
  return { samples: Float32Array.from(parts.flatMap((part) => [...part])), labels }
}

async function soundOf(insert: Insert, voice: Voice, seed: number): Promise<Float32Array> {
  if ('say' in insert) return speak(voice, insert.say)
  const { hertz, size } = people[voice]
  const { pitch, ...hold } = insert.hold
  return hesitate({ ...hold, hertz: hertz * pitch, size, seed: seed + 1 })
}

function atLevel(samples: Float32Array, wanted: number): Float32Array {
  const power = samples.reduce((sum, value) => sum + value ** 2, 0) / samples.length
  return samples.map((value) => (value * wanted) / Math.sqrt(power))
}
