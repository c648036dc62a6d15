import { sentences } from '../../speech/passages.ts'
import { rate as speechRate, filtered, speak, voices } from '../../speech/voices.ts'
import { rate } from '../mix.ts'
import { Random } from '../random.ts'
import { reverberated } from './reverberate.ts'

const people = 24

/** Many people say the benchmark's sentences, each in a different order and at a different pitch and distance. */
export async function crowd(seconds: number, seed = 4): Promise<Float32Array> {
  const random = new Random(seed)
  const talk = await Promise.all(voices.map(async (voice) => speakAll(voice)))
  const dry = new Float32Array(Math.round(seconds * rate))
  for (let person = 0; person < people; person++) {
    const said = talk[person % talk.length] ?? dry
    const speed = random.between(0.85, 1.25)
    const level = random.between(0.15, 1) ** 1.5
    let at = random.next() * said.length
    for (let i = 0; i < dry.length; i++) {
      const whole = Math.floor(at)
      const next = (said[(whole + 1) % said.length] ?? 0) * (at - whole)
      dry[i] = (dry[i] ?? 0) + level * ((said[whole % said.length] ?? 0) * (1 - at + whole) + next)
      at = (at + speed) % said.length
    }
  }
  return reverberated(dry, { seconds: 1.2, share: 0.6 })
}

async function speakAll(voice: (typeof voices)[number]): Promise<Float32Array> {
  const parts: Float32Array[] = []
  for (const sentence of sentences.slice(0, 8)) parts.push(await speak(voice, sentence))
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return resampled(whole)
}

async function resampled(samples: Float32Array): Promise<Float32Array> {
  return filtered(samples, 'anull', { from: speechRate, to: rate })
}
