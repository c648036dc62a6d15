import { describe, expect, it } from 'vitest'
import { hesitate, vowels, type Hesitation } from '../../../support/containers/sound/hesitation.ts'
import { voiceFramesOf, isHeldVowel } from '../../../../containers/sound/pauses/held-vowel.ts'
import { speechRate } from '../../../../containers/sound/speech-sound.ts'

const um: Hesitation = { vowel: vowels.uh, hertz: 110, seconds: 0.4, closed: 0.5, seed: 1 }

function isHeld(samples: Float32Array): boolean {
  return isHeldVowel(voiceFramesOf(samples, 0, samples.length))
}

describe('isHeldVowel', () => {
  it.each<[string, Partial<Hesitation>]>([
    ['um', {}],
    ['uh', { closed: 0 }],
    ['er', { vowel: vowels.er, closed: 0, seconds: 0.3 }],
    ['the um of a woman', { hertz: 190, size: 1.17 }],
    ['an um that falls', { fall: 3 }],
  ])('hears %s', (_, wish) => {
    expect(isHeld(hesitate({ ...um, ...wish }))).toBe(true)
  })

  it.each<[string, Partial<Hesitation>]>([
    ['ee', { vowel: vowels.ee, closed: 0 }],
    ['oo', { vowel: vowels.oo, closed: 0 }],
    ['a hum', { closed: 1 }],
    ['a pitch that glides', { closed: 0, fall: -7 }],
    ['what is too short to be held', { closed: 0, seconds: 0.14 }],
  ])('does not take %s for one', (_, wish) => {
    expect(isHeld(hesitate({ ...um, ...wish }))).toBe(false)
  })

  it('does not take a word, a tone or noise for one', () => {
    const [me, you] = [
      hesitate({ ...um, vowel: vowels.ee, closed: 0, seconds: 0.2 }),
      hesitate({ ...um, vowel: vowels.uh, closed: 0, seconds: 0.2 }),
    ]
    const word = Float32Array.from([...me, ...you])
    const turn = (2 * Math.PI * 130) / speechRate
    const tone = Float32Array.from({ length: 6_400 }, (_, i) => 0.1 * Math.sin(turn * i))
    const noise = Float32Array.from({ length: 6_400 }, (_, i) => ((i * 7_919) % 613) / 3_000 - 0.1)
    expect([word, tone, noise].map(isHeld)).toEqual([false, false, false])
  })
})
