import { pipeAll, type Stream } from '../graph/filter-graph.ts'
import { sampleRate } from './pcm.ts'

/**
 * For sound that is raised: below the −1.5 dB that is aimed at, because encoders overshoot by up to 1.5 dB, at their
 * lowest bit rates and wherever much was limited.
 */
export const loudnessCeilingDb = -2.8
/** For sound that little is added to: as it was, unless it would clip. */
export const clippingCeilingDb = -1

/**
 * Keeps peaks between the samples under the ceiling too: at four times the rate they are samples. The level stays;
 * whoever wants it louder raises it before.
 */
export function limitPeaks(sound: Stream<'audio'>, ceilingDb: number): Stream<'audio'> {
  return pipeAll(sound, [
    ['aresample', { sample_rate: 4 * sampleRate }],
    [
      'alimiter',
      { limit: 10 ** (ceilingDb / 20), attack: 5, release: 50, level: 'disabled', latency: 1 },
    ],
    ['aresample', { sample_rate: sampleRate }],
  ])
}
