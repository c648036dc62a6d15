import type { PreparedSound } from '../sound/prepared-sound.ts'

export type SoundSummary = ReturnType<typeof summariseSound>

export function summariseSound(sound: PreparedSound) {
  const { loudness, gainDb, hasNoiseRemoved } = sound
  return {
    /** LUFS of what remains, before the gain; null if it is silent. */
    loudness: loudness === undefined ? null : rounded(loudness),
    gainDb: gainDb === undefined ? null : rounded(gainDb),
    hasNoiseRemoved,
  }
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
