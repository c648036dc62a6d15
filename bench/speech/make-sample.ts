import said from './said.json' with { type: 'json' }
import { joined, powerOf } from '../../test/support/containers/sound/speech.ts'
import {
  filtered,
  rate,
  readSound,
  speak,
  voices,
} from '../../test/support/containers/sound/voices.ts'

export type Sentence = { readonly text: string; readonly startTime: number }
export type Sample = { readonly samples: Float32Array; readonly said: readonly Sentence[] }

/** The root mean square to which every sentence is set, from its first sound to its last. */
const sentenceLevel = 0.06
const [shortestPause, longestPause] = [0.5, 1.4]

export type SpokenSentence = { readonly text: string; readonly samples: Float32Array }

/** Everyday prose with questions, contractions and small numbers, spoken by the voices in turn. */
export async function speakSentences(): Promise<SpokenSentence[]> {
  return Promise.all(
    said.sentences.map(async (text, i) => ({
      text,
      samples: await speak(voices[i % voices.length] ?? 'slt', text),
    })),
  )
}

/** Joins the sentences, equally loud, with pauses of several lengths, and returns where each begins. */
export function makePassage(sentences: readonly SpokenSentence[]): Sample {
  const spoken: Sentence[] = []
  const parts: Float32Array[] = []
  let length = 0
  for (const [index, { text, samples }] of sentences.entries()) {
    const pause = shortestPause + ((index * 0.37) % 1) * (longestPause - shortestPause)
    const silence = new Float32Array(Math.round(pause * rate))
    const gain = sentenceLevel / Math.sqrt(powerOf(samples))
    spoken.push({ text, startTime: (length + silence.length) / rate })
    parts.push(
      silence,
      Float32Array.from(samples, (value) => value * gain),
    )
    length += silence.length + samples.length
  }
  return { samples: joined([...parts, new Float32Array(rate)]), said: spoken }
}

type Condition = {
  readonly name: string
  readonly change: (samples: Float32Array) => Promise<Float32Array>
}

export const conditions: readonly Condition[] = [
  { name: 'clean', change: async (samples) => samples },
  { name: '30 dB quieter', change: async (samples) => samples.map((value) => value * 0.0316) },
  { name: 'pink noise, 10 dB', change: async (samples) => withPinkNoise(samples, 10) },
  {
    name: 'telephone, 8 kHz',
    change: async (samples) =>
      filtered(samples, 'highpass=f=300:p=2,lowpass=f=3400:p=2,aresample=8000,aresample=16000'),
  },
  {
    name: 'reverberant room',
    change: async (samples) => filtered(samples, 'aecho=0.8:0.7:23|47|71:0.35|0.25|0.15'),
  },
]

/** Adds noise relative to the mean power of the speech, without the digital silence between sentences. */
async function withPinkNoise(samples: Float32Array, ratioDb: number): Promise<Float32Array> {
  const seconds = Math.ceil(samples.length / rate)
  const source = `anoisesrc=c=pink:r=${rate}:d=${seconds}:a=0.3:seed=11`
  const noise = await readSound(['-f', 'lavfi', '-i', source])
  const voiced = samples.filter((value) => value !== 0)
  const level = Math.sqrt(powerOf(voiced) / powerOf(noise) / 10 ** (ratioDb / 10))
  return samples.map((value, index) => value + (noise[index] ?? 0) * level)
}

const chord = [262, 330, 392, 523].map((hertz) => `sin(2*PI*${hertz}*t)`).join('+')

/** Sounds without any words. */
export const wordless: readonly { readonly name: string; readonly source: string }[] = [
  { name: 'silence', source: `anullsrc=r=${rate}:d=60` },
  { name: 'pink noise', source: `anoisesrc=c=pink:r=${rate}:d=60:a=0.3:seed=3` },
  { name: 'white noise, faint', source: `anoisesrc=c=white:r=${rate}:d=60:a=0.003:seed=4` },
  { name: 'brown noise', source: `anoisesrc=c=brown:r=${rate}:d=60:a=0.5:seed=5` },
  {
    name: 'chords with a beat',
    source: `aevalsrc='0.1*(${chord})*exp(-3*mod(t,0.5))+0.2*(random(0)-0.5)*exp(-20*mod(t,0.25))':s=${rate}:d=60`,
  },
  {
    name: 'a gliding tone',
    source: `aevalsrc='0.3*sin(2*PI*(220*t+40*sin(2*PI*0.7*t)))*(0.6+0.4*sin(2*PI*5*t))':s=${rate}:d=60`,
  },
]
