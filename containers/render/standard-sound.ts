import { generate, pipeAll, type Stream } from '../ffmpeg/filter-graph.ts'
import type { Clip } from './render-state.ts'

const sampleRate = 48_000

export function soundOf(clip: Clip<'disableAudio'>): Stream<'audio'> | undefined {
  return clip.asked.disableAudio ? undefined : clip.audio
}

/** From the start of the file, 48 kHz stereo; holes are filled, so that it stays beside its picture. */
export function standardSound(sound: Stream<'audio'>): Stream<'audio'> {
  return pipeAll(sound, [
    ['aresample', { sample_rate: sampleRate, async: 1, first_pts: 0 }],
    ['aformat', { sample_fmts: 'fltp', channel_layouts: 'stereo' }],
  ])
}

/** Exactly this long, with silence for what is missing. */
export function fitSound(sound: Stream<'audio'> | undefined, samples: number): Stream<'audio'> {
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
