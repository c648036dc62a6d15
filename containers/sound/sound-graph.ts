import { connect, type Stream } from '../graph/filter-graph.ts'
import type { FrameRate } from '../timeline/frame-rate.ts'
import type { FrameSpan } from '../timeline/frame-spans.ts'
import type { Clip } from '../timeline/clip.ts'
import { clipSpans, type Timeline } from '../timeline/timeline.ts'
import { fitSound, soundOf, standardSound } from './standard-sound.ts'
import { workedRate, type SampleSpan } from './dsp/pcm.ts'

/** The unchanged sound of all clips, one after the other. */
export function joinedSound(clips: readonly Clip[], timeline: Timeline): Stream<'audio'> {
  const [first] = clips
  const only = clips.length === 1 && first && soundOf(first)
  if (only) return standardSound(only)
  const sounds = clipSpans(timeline).map((clip, i) => {
    const { from, to } = samplesOfSpan(clip, timeline.frameRate)
    return fitSound(clips[i] && soundOf(clips[i]), to - from)
  })
  const [joined] = connect('concat', sounds, ['audio'], { n: clips.length, v: 0, a: 1 })
  return joined
}

/** Rounds each position from the beginning, so that rounding errors do not add up. */
export function samplesOfSpan({ from, to }: FrameSpan, { frames, seconds }: FrameRate): SampleSpan {
  const sampleOf = (frame: number): number => Math.round((frame * seconds * workedRate) / frames)
  return { from: sampleOf(from), to: sampleOf(to) }
}
