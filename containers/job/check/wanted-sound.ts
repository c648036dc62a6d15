import { demuxers } from '../../ffmpeg/measure-media.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { keptTime } from '../../timeline/timeline.ts'
import type { Planned } from '../plan/plan-job.ts'
import { soundRate, type SoundLook } from './look-at-film.ts'
import { bytesPerMoment } from './loudness-over-time.ts'

/** What has to be known of a film, or of a sound alone, to check how it sounds. */
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

/** One of the sounds that follow each other in the film: where it is read, unless it is silence, and how long it is. */
export type WantedPart = {
  readonly look: SoundLook | undefined
  /** All that there is of it if absent. */
  readonly seconds?: number
}

/**
 * What the film has to sound like before its speed is changed: what was prepared, or its sources as they are. Undefined if that is
 * not known so simply.
 */
export function wantedSound({ planned, film: { plan } }: SoundLooked): WantedPart[] | undefined {
  const { clips, timeline, removed, joints, replacement, sound } = planned
  if (replacement || plan.audio === 'none') return undefined
  const from = keptTime(plan.excerpt?.start ?? 0, timeline)
  if (sound && !sound.isUnchanged) {
    const options = ['-ar', '48000', '-ac', '2']
    const input = { name: sound.path, demuxer: 'f32le', options, from }
    return [{ look: { input, index: 0, channels: 2 } }]
  }
  if (removed.all.length + joints.length > 0 || clips.every(({ audio }) => !audio)) return undefined
  if (clips.length === 1) return [{ look: lookAtClip(clips[0], from) }]
  return clipsFrom(planned, from)
}

function lookAtClip({ audio, facts }: Planned['clips'][number], from = 0): SoundLook | undefined {
  if (!audio || !facts.audio) return undefined
  const { index, channels } = facts.audio
  const { path: name } = storedStream(audio).from
  return { input: { name, demuxer: demuxers[facts.format], from }, index, channels }
}

/** The clips that are heard from a moment on, each as long as its place on the timeline. */
function clipsFrom({ clips, timeline }: SoundLooked['planned'], from: number): WantedPart[] {
  const fps = fpsOf(timeline.frameRate)
  let begun = 0
  return clips.flatMap((clip, i) => {
    const length = (timeline.clipFrames[i] ?? 0) / fps
    const skipped = Math.max(0, from - begun)
    begun += length
    if (skipped >= length) return []
    return [{ look: lookAtClip(clip, skipped), seconds: length - skipped }]
  })
}

/** The sounds one after the other, each cut off or followed by silence as its place wants it. */
export function joinWanted(
  parts: readonly WantedPart[],
  bytesOf: (look: SoundLook) => Buffer | undefined,
): Buffer {
  let due = 0
  let joined = 0
  const all = parts.map(({ look, seconds }) => {
    const bytes = (look && bytesOf(look)) ?? Buffer.alloc(0)
    if (seconds === undefined) return bytes
    due += seconds
    const length = Math.round(due * soundRate) * bytesPerMoment - joined
    joined += length
    return Buffer.concat([bytes.subarray(0, length)], length)
  })
  return all.length === 1 && all[0] ? all[0] : Buffer.concat(all)
}
