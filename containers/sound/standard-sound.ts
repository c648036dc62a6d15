import { generate, pipe, pipeAll, type Stream } from '../graph/filter-graph.ts'
import type { Clip } from '../timeline/clip.ts'
import { sampleRate } from './pcm.ts'

export function soundOf({ audio, facts }: Pick<Clip, 'audio' | 'facts'>): Heard | undefined {
  return audio && { stream: audio, channels: facts.audio?.channels ?? 2 }
}

/** A sound, and how many channels it comes in. */
export type Heard = { readonly stream: Stream<'audio'>; readonly channels: number }

/** From the start of the file, 48 kHz stereo; holes are filled, so that it stays beside its picture. */
export function standardSound({ stream, channels }: Heard): Stream<'audio'> {
  return inStereo({
    stream: pipe(stream, 'aresample', { sample_rate: sampleRate, async: 1, first_pts: 0 }),
    channels,
  })
}

/**
 * A single channel is heard from both sides as loud as it is; ffmpeg would take 3 dB off. More than two are mixed in
 * floating point, where ffmpeg does not turn all of them down to make sure that no sum is too loud.
 */
export function inStereo({ stream, channels }: Heard): Stream<'audio'> {
  const standard = ['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }] as const
  if (channels === 2) return pipeAll(stream, [standard])
  const float = pipe(stream, 'aformat', { sample_fmts: 'fltp' })
  return channels === 1
    ? pipe(float, 'pan', { args: 'stereo|c0=c0|c1=c0' })
    : pipeAll(float, [standard])
}

/** Exactly this long, with silence for what is missing. */
export function fitSound(sound: Heard | undefined, samples: number): Stream<'audio'> {
  const even = sound
    ? pipeAll(standardSound(sound), [['apad', { whole_len: samples }]])
    : pipeAll(
        generate('audio', 'anullsrc', { channel_layout: 'stereo', sample_rate: sampleRate }),
        [['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }]],
      )
  return pipeAll(even, [
    ['atrim', { end_sample: samples }],
    ['asetpts', { expr: 'N/SR/TB' }],
  ])
}
