import { Random } from '../../../../fuzz/random.ts'
import { rate } from './speech.ts'

const dropsPerSecond = 120
const heavyDropsPerSecond = 5
const secondsPerThunder = 7

/** Rain with thunder, which has most of the power, as in recordings of real rain. */
export function makeRain(seconds: number): Float32Array {
  const random = new Random(2)
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
    addRing(sound, random.below(sound.length), { ...ring, level }, random)
  }
  for (let drop = 0; drop < seconds * heavyDropsPerSecond; drop++) {
    const ring = { hertz: random.between(300, 1_200), seconds: random.between(0.005, 0.02) }
    const level = 0.12 * Math.exp(random.noise() * 0.5)
    addRing(sound, random.below(sound.length), { ...ring, level, hiss: 0.3 }, random)
  }
  for (let roll = 0; roll < seconds / secondsPerThunder; roll++) addThunder(sound, random)
  return sound
}

/** Adds thunder that rolls: one rumble that gets louder and softer for some seconds. */
function addThunder(sound: Float32Array, random: Random): void {
  const from = random.below(sound.length)
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

const thingsPerSecond = 0.4

/** The noise of somebody who types in bursts, and now and then puts down a cup or a pan. */
export function makeClatter(seconds: number, seed = 1): Float32Array {
  const random = new Random(seed)
  const sound = new Float32Array(Math.round(seconds * rate))
  for (let i = 0; i < sound.length; i++) sound[i] = random.noise() * 5e-4
  let at = 0
  while (at < seconds) {
    at += random.share() < 0.12 ? random.between(0.5, 2) : random.between(0.07, 0.22)
    const level = 0.3 * Math.exp(random.noise() * 0.3)
    strike(sound, at, level, random)
    strike(sound, at + random.between(0.05, 0.09), level * 0.4, random)
  }
  for (let thing = 0; thing < seconds * thingsPerSecond; thing++) {
    const when = random.below(sound.length)
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

const beatSeconds = 0.5
/** Semitones above A2: four chords of four beats. */
const chords = [
  [3, 7, 10, 15],
  [0, 3, 7, 12],
  [-4, 0, 3, 8],
  [-2, 2, 5, 10],
] as const

/** A guitar that picks chords, a bass and drums. */
export function makeMusic(seconds: number): Float32Array {
  const random = new Random(7)
  const sound = new Float32Array(Math.round(seconds * rate))
  for (let beat = 0; beat * beatSeconds < seconds; beat++) {
    const chord = chords[Math.floor(beat / 4) % chords.length] ?? chords[0]
    const at = Math.round(beat * beatSeconds * rate)
    if (beat % 2 === 0)
      addNote(sound, at, { hertz: pitch(chord[0] - 12), level: 0.2, seconds: 0.6 })
    for (const half of [0, 1]) {
      const step = chord[random.below(chord.length)] ?? 0
      const note = { hertz: pitch(step + 12), level: 0.08, seconds: 0.8 }
      addNote(sound, at + Math.round((half * beatSeconds * rate) / 2), note)
    }
    const isAccent = beat % 2 === 1
    const drum = isAccent
      ? { hertz: 190, seconds: 0.05, hiss: 0.8 }
      : { hertz: 55, seconds: 0.1, hiss: 0 }
    addRing(sound, at, { ...drum, level: isAccent ? 0.1 : 0.4 }, random)
    addRing(sound, at, { hertz: 9_000, seconds: 0.015, level: 0.03, hiss: 0.9 }, random)
  }
  return sound
}

function pitch(semitones: number): number {
  return 110 * 2 ** (semitones / 12)
}

type Note = { hertz: number; level: number; seconds: number }

/** A plucked string: high partials die first. */
function addNote(sound: Float32Array, at: number, { hertz, level, seconds }: Note): void {
  for (let partial = 1; partial <= 10; partial++) {
    const fall = (partial * 0.4 + 0.6) / (seconds * rate)
    const turn = (2 * Math.PI * hertz * partial) / rate
    // The note lasts until it has fallen by 60 dB.
    const length = Math.min(sound.length - at, Math.round(6.9 / fall))
    for (let i = 0; i < length; i++) {
      const size = (level / partial) * Math.min(1, i / 96)
      sound[at + i] = (sound[at + i] ?? 0) + Math.sin(turn * i) * Math.exp(-i * fall) * size
    }
  }
}

type Ring = { hertz: number; level: number; seconds: number; hiss: number }

/** Adds the sound of something small that is struck: a tone that fades away, with a share `hiss` of hiss (0 … 1). */
function addRing(
  into: Float32Array,
  at: number,
  { hertz, level, seconds, hiss }: Ring,
  random: Random,
): void {
  const length = Math.min(into.length - at, Math.round(seconds * 7 * rate))
  for (let i = 0; i < length; i++) {
    const decay = Math.exp(-i / (seconds * rate))
    const tone = Math.sin((2 * Math.PI * hertz * i) / rate)
    const value = tone * (1 - hiss) + random.noise() * hiss
    into[at + i] = (into[at + i] ?? 0) + value * decay * level
  }
}

/** A low-pass filter that falls by 6 dB per octave above its frequency. */
class OnePole {
  #kept = 0

  lowpass(value: number, hertz: number): number {
    this.#kept += (value - this.#kept) * (1 - Math.exp((-2 * Math.PI * hertz) / rate))
    return this.#kept
  }

  highpass(value: number, hertz: number): number {
    return value - this.lowpass(value, hertz)
  }
}
