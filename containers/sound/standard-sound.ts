import { generate, pipe, pipeAll, type Stream } from '../graph/filter-graph.ts'
import type { Clip } from '../timeline/clip.ts'
import { workedRate } from './dsp/pcm.ts'

export function soundOf({ audio, facts }: Pick<Clip, 'audio' | 'facts'>): SoundStream | undefined {
  return audio && { stream: audio, channels: facts.audio?.channels ?? 2 }
}

/** Whether more than two channels are mixed into two, which may become too loud. */
export function hasDownmix(clips: readonly Pick<Clip, 'audio' | 'facts'>[]): boolean {
  return clips.some((clip) => (soundOf(clip)?.channels ?? 0) > 2)
}

/** A sound and its number of channels. */
export type SoundStream = { readonly stream: Stream<'audio'>; readonly channels: number }

/**
 * Converts a sound to 48 kHz stereo from the start of the file; fills gaps, so that it stays in time with its picture.
 */
export function standardSound({ stream, channels }: SoundStream): Stream<'audio'> {
  return inStereo({
    stream: pipe(stream, 'aresample', { sample_rate: workedRate, async: 1, first_pts: 0 }),
    channels,
  })
}

/**
 * Plays a single channel from both sides at its own level; ffmpeg would lower it by 3 dB. Mixes more than two channels
 * in floating point, in which ffmpeg does not lower all of them to keep the sum from clipping.
 */
export function inStereo({ stream, channels }: SoundStream): Stream<'audio'> {
  const standard = ['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }] as const
  if (channels === 2) return pipeAll(stream, [standard])
  const float = pipe(stream, 'aformat', { sample_fmts: 'fltp' })
  return channels === 1
    ? pipe(float, 'pan', { args: 'stereo|c0=c0|c1=c0' })
    : pipeAll(float, [standard])
}

/** Makes a sound exactly this long, padded with silence. */
export function fitSound(sound: SoundStream | undefined, samples: number): Stream<'audio'> {
  const even = sound
    ? pipeAll(standardSound(sound), [['apad', { whole_len: samples }]])
    : pipeAll(
        generate('audio', 'anullsrc', { channel_layout: 'stereo', sample_rate: workedRate }),
        [['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }]],
      )
  return pipeAll(even, [
    ['atrim', { end_sample: samples }],
    ['asetpts', { expr: 'round(N/SR/TB)' }],
  ])
}
