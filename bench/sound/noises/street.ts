import { rate } from '../mix.ts'
import { OnePole } from '../one-pole.ts'
import { Random } from '../random.ts'

const secondsPerCar = 3
const secondsPerHorn = 8

export async function street(seconds: number, seed = 3): Promise<Float32Array> {
  const random = new Random(seed)
  const rumble = [new OnePole(), new OnePole()] as const
  const sound = Float32Array.from({ length: Math.round(seconds * rate) }, () => {
    const below = rumble[0].lowpass(random.noise(), 120)
    return rumble[1].lowpass(below, 300) * 0.6 + random.noise() * 0.002
  })
  for (let car = 0; car < seconds / secondsPerCar; car++) addCar(sound, random)
  for (let horn = 0; horn < seconds / secondsPerHorn; horn++) addHorn(sound, random)
  return sound
}

/**
 * Adds a car that is duller and softer while it is far away: tyres on the road, and an engine whose tone falls as it
 * passes.
 */
function addCar(sound: Float32Array, random: Random): void {
  const nearest = random.whole(sound.length)
  const reach = random.between(0.8, 2.5) * rate
  const level = 0.06 * Math.exp(random.noise() * 0.5)
  const engine = random.between(60, 130)
  const tyres = [new OnePole(), new OnePole()] as const
  let phase = 0
  const from = Math.max(0, Math.round(nearest - 4 * reach))
  for (let i = from; i < Math.min(sound.length, nearest + 4 * reach); i++) {
    const away = (i - nearest) / reach
    const near = 1 / (1 + away * away * 4)
    const dull = tyres[0].lowpass(tyres[1].lowpass(random.noise(), 300 + 4_000 * near), 3_000)
    phase += (2 * Math.PI * engine * (1 - 0.06 * Math.tanh(away * 3))) / rate
    const motor = Math.sin(phase) + 0.6 * Math.sin(2 * phase) + 0.4 * Math.sin(3 * phase)
    sound[i] = (sound[i] ?? 0) + level * near * (2 * dull + 0.4 * motor)
  }
}

function addHorn(sound: Float32Array, random: Random): void {
  const from = random.whole(sound.length)
  const length = random.between(0.2, 0.9) * rate
  const hertz = random.between(380, 450)
  const level = 0.025 * random.between(0.4, 1)
  for (let i = 0; i < length && from + i < sound.length; i++) {
    const fade = Math.min(1, i / 480, (length - i) / 960)
    let value = 0
    for (let harmonic = 1; harmonic <= 7; harmonic++) {
      const angle = (2 * Math.PI * hertz * harmonic * i) / rate
      value += (Math.sin(angle) + Math.sin(angle * 1.25)) / harmonic
    }
    sound[from + i] = (sound[from + i] ?? 0) + value * fade * level
  }
}
