import { storedStream } from '../../graph/stored-stream.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { keptTime } from '../../timeline/timeline.ts'
import type { Planned } from '../plan/plan-job.ts'
import { mostSoundSeconds, soundRate, type SoundLook, type BytesOf } from './look-at-film.ts'
import { bytesPerMoment } from './loudness-over-time.ts'

/** What has to be known of a film, or of a sound alone, to check its sound. */
export type SoundLooked = {
  readonly planned: Pick<
    Planned,
    'context' | 'clips' | 'timeline' | 'removed' | 'joints' | 'replacement' | 'sound'
  >
  readonly film: {
    readonly plan: Pick<RenderPlan, 'audio' | 'durationSeconds' | 'warnings'> & {
      readonly excerpt: { readonly start: number } | undefined
      readonly sound: { readonly hasNoiseRemoved: boolean } | null
    }
    readonly facts: { readonly durationSeconds: number }
  }
}

/** One of the consecutive sounds of the film: where it is read, unless it is silence, and how long it is. */
export type WantedPart = {
  readonly look: SoundLook | undefined
  readonly seconds: number
}

/** How many seconds of a result have sound. */
export function heardSeconds({ film: { plan } }: SoundLooked): number {
  return Math.min(plan.durationSeconds, mostSoundSeconds)
}

/**
 * What the film should sound like before its speed is changed, up to where its sound ends: the prepared sound, or its
 * sources as they are. Undefined if that cannot be told so simply.
 */
export function wantedSound(looked: SoundLooked): WantedPart[] | undefined {
  const { planned, film } = looked
  const { plan } = film
  const { clips, timeline, removed, joints, replacement, sound } = planned
  if (replacement || plan.audio === 'none') return undefined
  const from = keptTime(plan.excerpt?.start ?? 0, timeline)
  const seconds = Math.min(heardSeconds(looked) * (timeline.speed ?? 1), mostSoundSeconds)
  if (sound && !sound.isUnchanged) {
    const options = ['-ar', '48000', '-ac', '2']
    const input = { name: sound.path, demuxer: 'f32le', options, from, seconds }
    return [{ look: { kind: 'sound', input, index: 0, channels: 2 }, seconds }]
  }
  if (removed.all.length + joints.length > 0 || clips.every(({ audio }) => !audio)) return undefined
  if (clips.length === 1) return [{ look: lookAtClip(clips[0], { from, seconds }), seconds }]
  return clipsFrom(planned, { from, seconds })
}

/** Where reading begins, and how many seconds are read. */
type ToRead = { readonly from: number; readonly seconds: number }

function lookAtClip(
  { audio, facts }: Planned['clips'][number],
  read: ToRead,
): SoundLook | undefined {
  if (!audio || !facts.audio) return undefined
  const { from, pad: index } = storedStream(audio)
  const { path: name, demuxer, reading: options } = from
  const input = { name, demuxer, options, ...read }
  return { kind: 'sound', input, index, channels: facts.audio.channels }
}

/** The clips that are heard in a part of the timeline, each as long as its place there. */
function clipsFrom({ clips, timeline }: SoundLooked['planned'], read: ToRead): WantedPart[] {
  const fps = fpsOf(timeline.frameRate)
  let begun = 0
  return clips.flatMap((clip, i) => {
    const length = (timeline.clipFrames[i] ?? 0) / fps
    const from = Math.max(0, read.from - begun)
    const seconds = Math.min(length, read.from + read.seconds - begun) - from
    begun += length
    if (seconds <= 0) return []
    return [{ look: lookAtClip(clip, { from, seconds }), seconds }]
  })
}

/** Joins sounds one after the other, each cut off or followed by silence to fill its place. */
export function joinWanted(parts: readonly WantedPart[], bytesOf: BytesOf): Buffer {
  const [first] = parts
  if (parts.length === 1) return (first?.look && bytesOf(first.look)) ?? Buffer.alloc(0)
  const lengthOf = (seconds: number): number => Math.round(seconds * soundRate) * bytesPerMoment
  const joined = Buffer.alloc(lengthOf(parts.reduce((sum, { seconds }) => sum + seconds, 0)))
  let begun = 0
  for (const { look, seconds } of parts) {
    const [from, to] = [begun, begun + seconds].map(lengthOf)
    const bytes = look && bytesOf(look)
    bytes?.copy(joined, from, 0, (to ?? 0) - (from ?? 0))
    begun += seconds
  }
  return joined
}
