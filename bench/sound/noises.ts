import { clatter } from './noises/clatter.ts'
import { crowd } from './noises/crowd.ts'
import { hum } from './noises/hum.ts'
import { music } from './noises/music.ts'
import { pink } from './noises/pink.ts'
import { rain } from './noises/rain.ts'
import { street } from './noises/street.ts'

/**
 * Noises to mix with voices, at `rate` of mix.ts and at any level, because `mixAt` sets it. The same seed makes the
 * same sound. Recordings are in recorded-noises.ts.
 */
export const noises = {
  /** Steady noise. */
  pink,
  /** Hiss and thousands of drops, some of them heavy. */
  rain,
  /** Rumble, cars that pass, horns. */
  street,
  /** Two dozen people who talk at once in a large hall: a station, an airport. */
  crowd,
  /** A fan and the mains. */
  hum,
  /** Keys and things put down. */
  clatter,
  /** Chords, bass and drums: not a noise, but it occurs under voices too. */
  music,
} as const satisfies Record<string, MakeNoise>

export type NoiseName = keyof typeof noises
export type MakeNoise = (seconds: number, seed?: number) => Promise<Float32Array>
