import { rate } from '../mix.ts'
import type { Random } from '../random.ts'

type Ring = { hertz: number; level: number; seconds: number; hiss: number }

/** Adds the sound of something small that is struck: a tone that fades away, with a share `hiss` of hiss (0 … 1). */
export function addRing(
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
