import { pipeAll, type Stream } from '../ffmpeg/filter-graph.ts'

/** Below the −1.5 dB that is aimed at: encoders at their lowest bit rates overshoot by up to 1.5 dB. */
export const ceilingDb = -2.8

/**
 * Keeps peaks between the samples under the ceiling too: at four times the rate they are samples. The level stays;
 * whoever wants it louder raises it before.
 */
export function limitPeaks(sound: Stream<'audio'>): Stream<'audio'> {
  return pipeAll(sound, [
    ['aresample', { sample_rate: 192_000 }],
    [
      'alimiter',
      { limit: 10 ** (ceilingDb / 20), attack: 5, release: 50, level: 'disabled', latency: 1 },
    ],
    ['aresample', { sample_rate: 48_000 }],
  ])
}
