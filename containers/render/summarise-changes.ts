import { fpsOf, type FrameRate } from '../ffmpeg/frame-rate.ts'
import { frameCount, type FrameSpan } from './frame-spans.ts'
import type { PreparedSound } from './prepared-sound.ts'

export type CutSummary = ReturnType<typeof summariseCuts>
export type SoundSummary = ReturnType<typeof summariseSound>

export function summariseCuts(removed: readonly FrameSpan[], frameRate: FrameRate) {
  return { count: removed.length, removedSeconds: rounded(frameCount(removed) / fpsOf(frameRate)) }
}

export function summariseSound(sound: PreparedSound) {
  const { loudness, gainDb, silenceSeconds, hasNoiseRemoved } = sound
  return {
    /** LUFS of what remains, before the gain; null when silent. */
    loudness: loudness === undefined ? null : rounded(loudness),
    gainDb: gainDb === undefined ? null : rounded(gainDb),
    silenceSeconds: rounded(silenceSeconds),
    hasNoiseRemoved,
  }
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
