import { rate } from '../sound/mix.ts'
import { filtered, rate as speechRate } from '../speech/voices.ts'
import { normaliseWords } from '../speech/normalise-words.ts'
import type { SpokenSentence } from '../speech/make-sample.ts'

/** In seconds of the talk. */
export type Gap = { readonly from: number; readonly to: number }
export type Talk = {
  readonly samples: Float32Array
  readonly gaps: readonly Gap[]
  /** Every word, normalised. */
  readonly said: readonly string[]
}

/** Breaths, ordinary pauses, and the long pauses of people who look for their notes. */
const pauses = [1.2, 2.5, 0.8, 4, 1.6, 3, 0.4, 6, 2, 1]
const level = 0.06
/** Shorter gaps are breaths. */
const leastGap = 0.5

/**
 * Joins sentences at 48 kHz, equally loud, with digital silence between them; also returns the gaps that are really
 * there.
 */
export async function makeTalk(sentences: readonly SpokenSentence[]): Promise<Talk> {
  const parts: Float32Array[] = []
  const gaps: Gap[] = []
  let at = 0
  const add = (samples: Float32Array): void => {
    parts.push(samples)
    at += samples.length
  }
  const pause = (seconds: number): void => {
    const from = at / speechRate
    add(new Float32Array(Math.round(seconds * speechRate)))
    if (seconds >= leastGap) gaps.push({ from, to: at / speechRate })
  }
  for (const [i, { samples }] of sentences.entries()) {
    pause(pauses[i % pauses.length] ?? 1)
    const power = samples.reduce((sum, value) => sum + value ** 2, 0) / samples.length
    add(samples.map((value) => (value * level) / Math.sqrt(power)))
  }
  pause(2)
  const whole = new Float32Array(at)
  let end = 0
  for (const part of parts) {
    whole.set(part, end)
    end += part.length
  }
  const samples = await filtered(whole, 'anull', { from: speechRate, to: rate })
  return { samples, gaps, said: sentences.flatMap(({ text }) => normaliseWords(text)) }
}
