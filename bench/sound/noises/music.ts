import { rate } from '../mix.ts'
import { Random } from '../random.ts'
import { addRing } from './add-ring.ts'

const beatSeconds = 0.5
/** Semitones above A2: four chords of four beats. */
const chords = [
  [3, 7, 10, 15],
  [0, 3, 7, 12],
  [-4, 0, 3, 8],
  [-2, 2, 5, 10],
] as const

/** A guitar that picks chords, a bass and drums. */
export async function music(seconds: number, seed = 7): Promise<Float32Array> {
  const random = new Random(seed)
  const sound = new Float32Array(Math.round(seconds * rate))
  for (let beat = 0; beat * beatSeconds < seconds; beat++) {
    const chord = chords[Math.floor(beat / 4) % chords.length] ?? chords[0]
    const at = Math.round(beat * beatSeconds * rate)
    if (beat % 2 === 0)
      addNote(sound, at, { hertz: pitch(chord[0] - 12), level: 0.2, seconds: 0.6 })
    for (const half of [0, 1]) {
      const step = chord[random.whole(chord.length)] ?? 0
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
