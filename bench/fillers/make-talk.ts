import { mixAt, rate as mixRate } from '../sound/mix.ts'
import { noises } from '../sound/noises.ts'
import { filtered, rate, speak, type Voice } from '../speech/voices.ts'
import { halves, pauses, people, repeats, type Insert, type Kind } from './clips.ts'
import { hesitate } from './hesitation.ts'

/** In seconds of the talk. */
export type Label = { readonly from: number; readonly to: number }
export type Talk = {
  readonly samples: Float32Array
  /** What is to be cut. */
  readonly labels: readonly Label[]
}

const level = 0.06
/** A voice that hesitates is a little softer. */
const softer = 0.75
const sentencePause = 0.9

/** Sentences of one voice, each with an insert in its middle. */
export async function makeTalk(voice: Voice, { inserts, isFiller, glued }: Kind): Promise<Talk> {
  const talk = new Recording()
  for (const [i, insert] of inserts.entries()) {
    const [before = '', behind = ''] = halves[i % halves.length] ?? []
    const pause = (side: 'before' | 'after'): number =>
      glued === side ? 0 : (pauses[(side === 'after' ? i + 2 : i) % pauses.length] ?? 0)
    talk.rest(sentencePause)
    talk.add(atLevel(await speak(voice, before), level))
    talk.rest(pause('before'))
    const sound = await soundOf(insert, voice, i)
    const label = talk.add(atLevel(sound, level * softer))
    if (isFiller) talk.labels.push(label)
    talk.rest(pause('after'))
    talk.add(atLevel(await speak(voice, behind), level))
  }
  return talk.finish()
}

/** Sentences whose first words are said twice. */
export async function repeatedStarts(voice: Voice): Promise<Talk> {
  const talk = new Recording()
  for (const [i, [start, rest]] of repeats.entries()) {
    talk.rest(sentencePause)
    const { from } = talk.add(atLevel(await speak(voice, start), level))
    const to = talk.rest((pauses[i % pauses.length] ?? 0) / 2)
    talk.labels.push({ from, to })
    talk.add(atLevel(await speak(voice, rest), level))
  }
  return talk.finish()
}

class Recording {
  readonly labels: Label[] = []
  readonly #parts: Float32Array[] = []
  #length = 0

  add(samples: Float32Array): Label {
    const from = this.#length / rate
    this.#parts.push(samples)
    this.#length += samples.length
    return { from, to: this.#length / rate }
  }

  /** Returns when it ends. */
  rest(seconds: number): number {
    return this.add(new Float32Array(Math.round(seconds * rate))).to
  }

  finish(): Talk {
    this.rest(1)
    const samples = new Float32Array(this.#length)
    let at = 0
    for (const part of this.#parts) {
      samples.set(part, at)
      at += part.length
    }
    return { samples, labels: this.labels }
  }
}

async function soundOf(insert: Insert, voice: Voice, seed: number): Promise<Float32Array> {
  if ('say' in insert) {
    const { say, speed = 1 } = insert
    if (say === '') return new Float32Array(0)
    const spoken = await speak(voice, say)
    return speed === 1 ? spoken : filtered(spoken, `atempo=${speed}`)
  }
  if ('hold' in insert) {
    const { hertz, size } = people[voice]
    const { pitch, ...hold } = insert.hold
    return hesitate({ ...hold, hertz: hertz * pitch, size, seed: seed + 1 })
  }
  if ('tone' in insert) {
    const turn = (2 * Math.PI * insert.tone) / rate
    return Float32Array.from({ length: Math.round(insert.seconds * rate) }, (_, i) =>
      Math.sin(turn * i),
    )
  }
  const made = await noises[insert.noise](insert.seconds + seed)
  const part = made.subarray(-Math.round(insert.seconds * mixRate))
  return filtered(part, 'anull', { from: mixRate, to: rate })
}

function atLevel(samples: Float32Array, wanted: number): Float32Array {
  const power = samples.reduce((sum, value) => sum + value ** 2, 0) / Math.max(1, samples.length)
  return power === 0 ? samples : samples.map((value) => (value * wanted) / Math.sqrt(power))
}

/** How the recordings sound in which fillers are looked for as well. */
export const surroundings: readonly {
  readonly name: string
  readonly change: (samples: Float32Array) => Promise<Float32Array>
}[] = [
  { name: '30 dB softer', change: async (samples) => samples.map((value) => value * 0.0316) },
  {
    name: 'telephone',
    change: async (samples) => filtered(samples, 'highpass=f=300:p=2,lowpass=f=3400:p=2'),
  },
  {
    name: 'room',
    change: async (samples) => filtered(samples, 'aecho=0.8:0.7:23|47|71:0.35|0.25|0.15'),
  },
  { name: 'pink noise, 20 dB', change: async (samples) => inNoise(samples, 'pink', 20) },
  { name: 'pink noise, 10 dB', change: async (samples) => inNoise(samples, 'pink', 10) },
  { name: 'street, 20 dB', change: async (samples) => inNoise(samples, 'street', 20) },
  { name: 'music, 15 dB', change: async (samples) => inNoise(samples, 'music', 15) },
]

async function inNoise(
  samples: Float32Array,
  name: 'pink' | 'street' | 'music',
  ratioDb: number,
): Promise<Float32Array> {
  const noise = await noises[name](samples.length / rate)
  return mixAt(samples, await filtered(noise, 'anull', { from: mixRate, to: rate }), ratioDb)
}
