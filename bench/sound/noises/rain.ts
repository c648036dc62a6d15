import { rate } from '../mix.ts'
import { OnePole } from '../one-pole.ts'
import { Random } from '../random.ts'
import { addRing } from './add-ring.ts'

const dropsPerSecond = 120
const heavyDropsPerSecond = 5
const secondsPerThunder = 7

/** Rain with thunder, which has most of the power, as in recordings of real rain. */
export async function rain(seconds: number, seed = 2): Promise<Float32Array> {
  const random = new Random(seed)
  const low = [new OnePole(), new OnePole()] as const
  const gusts = new OnePole()
  const sound = Float32Array.from({ length: Math.round(seconds * rate) }, () => {
    const white = random.noise()
    const hiss = low[0].lowpass(white, 6_000) + 2 * low[1].lowpass(white, 800)
    return hiss * 0.04 * (1 + 25 * gusts.lowpass(random.noise(), 0.5))
  })
  for (let drop = 0; drop < seconds * dropsPerSecond; drop++) {
    const ring = { hertz: random.between(1_500, 7_000), seconds: 0.002, hiss: 0.6 }
    const level = 0.02 * Math.exp(random.noise() * 0.9)
    addRing(sound, random.whole(sound.length), { ...ring, level }, random)
  }
  for (let drop = 0; drop < seconds * heavyDropsPerSecond; drop++) {
    const ring = { hertz: random.between(300, 1_200), seconds: random.between(0.005, 0.02) }
    const level = 0.12 * Math.exp(random.noise() * 0.5)
    addRing(sound, random.whole(sound.length), { ...ring, level, hiss: 0.3 }, random)
  }
  for (let roll = 0; roll < seconds / secondsPerThunder; roll++) addThunder(sound, random)
  return sound
}

/** Adds thunder that rolls: one rumble that gets louder and softer for some seconds. */
function addThunder(sound: Float32Array, random: Random): void {
  const from = random.whole(sound.length)
  const length = random.between(3, 7) * rate
  const [dull, duller, swell] = [new OnePole(), new OnePole(), new OnePole()]
  const level = random.between(0.6, 1.6)
  for (let i = 0; i < length && from + i < sound.length; i++) {
    const fade = Math.min(1, i / (0.2 * rate)) * (1 - i / length) ** 1.5
    const rolling = Math.abs(1 + 150 * swell.lowpass(random.noise(), 3))
    const rumble = dull.lowpass(duller.lowpass(random.noise(), 200), 400)
    sound[from + i] = (sound[from + i] ?? 0) + rumble * fade * rolling * level
  }
}
