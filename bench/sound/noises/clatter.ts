import { rate } from '../mix.ts'
import { Random } from '../random.ts'
import { addRing } from './add-ring.ts'

const thingsPerSecond = 0.4

/** The noise of somebody who types in bursts, and now and then puts down a cup or a pan. */
export async function clatter(seconds: number, seed = 6): Promise<Float32Array> {
  const random = new Random(seed)
  const sound = new Float32Array(Math.round(seconds * rate))
  for (let i = 0; i < sound.length; i++) sound[i] = random.noise() * 5e-4
  let at = 0
  while (at < seconds) {
    at += random.next() < 0.12 ? random.between(0.5, 2) : random.between(0.07, 0.22)
    const level = 0.3 * Math.exp(random.noise() * 0.3)
    strike(sound, at, level, random)
    strike(sound, at + random.between(0.05, 0.09), level * 0.4, random)
  }
  for (let thing = 0; thing < seconds * thingsPerSecond; thing++) {
    const when = random.whole(sound.length)
    for (let tone = 0; tone < 5; tone++) {
      const ring = { hertz: random.between(700, 6_000), seconds: random.between(0.02, 0.12) }
      addRing(sound, when, { ...ring, level: random.between(0.03, 0.15), hiss: 0.1 }, random)
    }
  }
  return sound
}

function strike(sound: Float32Array, second: number, level: number, random: Random): void {
  const at = Math.round(second * rate)
  addRing(sound, at, { hertz: 250, seconds: 0.008, level: level * 0.5, hiss: 0.2 }, random)
  addRing(sound, at, { hertz: 3_200, seconds: 0.002, level, hiss: 0.8 }, random)
}
