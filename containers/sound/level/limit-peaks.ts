import { usualLoudness } from '../../../worker/contract/options/sound/loudness.ts'
import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { workedRate } from '../dsp/pcm.ts'
import { inStereo, type SoundStream } from '../standard-sound.ts'

/** Encoders overshoot by up to 1.5 dB at their lowest bit rates and where much was limited. */
const overshootDb = 1.3

/** The highest level of samples before encoding, so that the peaks of the result do not exceed this. */
export function ceilingBelow(peakDb: number): number {
  return peakDb - overshootDb
}

/** For sound that is raised. */
export const loudnessCeilingDb = ceilingBelow(usualLoudness.peak)
/** For sound that is hardly changed: limits it only if it would clip. */
export const clippingCeilingDb = -1

/**
 * Also keeps peaks between the samples below the ceiling: at four times the rate they become samples. It does not
 * change the level; callers raise the sound before, if they want to.
 */
export function limitPeaks(sound: Stream<'audio'>, ceilingDb: number): Stream<'audio'> {
  return pipeAll(sound, [
    ['aresample', { sample_rate: 4 * workedRate }],
    [
      'alimiter',
      { limit: 10 ** (ceilingDb / 20), attack: 5, release: 50, level: 'disabled', latency: 1 },
    ],
    ['aresample', { sample_rate: workedRate }],
  ])
}

/** At most two channels. The sum of several may be louder than each of them. */
export function mixedDown({ stream, channels }: SoundStream): Stream<'audio'> {
  return channels > 2 ? limitPeaks(inStereo({ stream, channels }), clippingCeilingDb) : stream
}
