import { mostMoves, type Reframed } from '../../../worker/contract/job/reframed.ts'
import type { AskedScene } from '../../../worker/contract/options/picture/reframe.ts'
import { limits } from '../../../worker/contract/limits.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { FindFaces } from '../../insight/faces/face-model.ts'
import type { FindBodies } from '../../insight/follow/find-bodies.ts'
import { hearVoice } from '../../insight/follow/hear-voice.ts'
import type { SaidSpan } from '../../insight/follow/match-voices.ts'
import { seePeople } from '../../insight/follow/see-people.ts'
import { tellTurns } from '../../insight/follow/tell-turns.ts'
import { scenesShown } from '../../render/frame/followed-shape.ts'
import { placeOn } from '../../render/frame/crop-path.ts'
import { type Aim, type Scene } from '../../render/frame/reframe-scenes.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import type { RenderOptions } from '../../render/render-state.ts'
import type { VoiceDetector } from '../../sound/pauses/voice-activity.ts'
import { soundOf } from '../../sound/standard-sound.ts'
import { changeClips, mapClips } from '../../timeline/change-clips.ts'
import type { Clips } from '../../timeline/clip.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { seenShots, type SeenPeople } from '../../timeline/seen-shots.ts'
import type { Speech } from '../../timeline/speech.ts'
import { clipSpans, joinedSeconds, type Timeline } from '../../timeline/timeline.ts'
import { followingResults, isFollowed } from '../../render/output-options.ts'
import type { MeasureOnce } from './measured-once.ts'
import { thousandths } from '../../numbers/thousandths.ts'

type FollowingTools = {
  readonly timeline: Timeline
  readonly options: RenderOptions
  readonly findFaces: FindFaces
  readonly findBodies: FindBodies
  readonly once: MeasureOnce
  readonly voices: VoiceDetector
  /** Called before anybody is listened to whom no earlier job has heard. */
  readonly onListen: () => void
  /** Called if the voice detector failed: then everybody is shown. */
  readonly onFault: (error: unknown) => void
  readonly onProgress: (share: number) => void
}

/** Looks for people in every clip, except those that say themselves how they fit, or that have the right shape already. */
export async function followPeople(
  tools: ToolContext,
  clips: Clips,
  { timeline, options, findFaces, findBodies, once, voices, ...told }: FollowingTools,
): Promise<Clips> {
  const { onListen, onFault, onProgress } = told
  // Each clip as it is before the crop, in its own colours, with the faces covered that the result covers.
  const { clips: upright } = shapeClips(clips, {
    ...options,
    resizeMode: 'cover',
    color: undefined,
    blurFaces: false,
  })
  const fps = fpsOf(timeline.frameRate)
  const ofClips = clipSpans(timeline)
  const total = Math.max(0.001, joinedSeconds(timeline))
  return changeClips(clips, async (clip, i) => {
    const { from = 0, to = 0 } = ofClips[i] ?? {}
    const [beginSeconds, endSeconds] = [from / fps, to / fps]
    const shaped = upright[i]
    if (!shaped || clip.asked.fit || !isFollowed(shaped.facts.video, options)) return clip
    const done = (share: number): void =>
      onProgress(Math.min(endSeconds, beginSeconds + share * (endSeconds - beginSeconds)) / total)
    const ofClip = (seconds: number): number => seconds / Math.max(0.001, endSeconds - beginSeconds)
    const isHeard = soundOf(clip) !== undefined
    const what = `${isHeard ? 'people and their mouths' : 'people'} ${seeing}`
    const shots = await once({ what, clip, shown: shaped.video, schema: seenShots }, async () =>
      seePeople(tools, shaped, {
        ...{ findFaces, findBodies, name: `seen${i}`, isHeard },
        onSeconds: (seconds) => done(seenShare * ofClip(seconds)),
      }),
    )
    const { width, height } = shaped.facts.video
    const asked = askedIn(options.reframe?.scenes ?? [], beginSeconds, endSeconds)
    const seen = { shots, asked, picture: { width, height }, beginSeconds }
    if (!dependsOnSpeech(seen, options)) return { ...clip, seen }
    if (isHeard) onListen()
    const voice = await hearVoice(tools, clip, {
      ...{ voices, name: `voice${i}.f32`, onFault },
      onSeconds: (seconds) => done(seenShare + (1 - seenShare) * ofClip(seconds)),
    })
    return { ...clip, seen: tellTurns({ ...seen, voice }) }
  })
}

/** Examining pictures takes this share of the time, and listening the rest. */
const seenShare = 0.9

/** Raise this number whenever pictures are examined in another way, so that findings kept before an update are not used. */
const seeing = 2

/** Whether who speaks decides which of several people a result shows. */
function dependsOnSpeech(seen: SeenPeople, options: RenderOptions): boolean {
  const covered = seen.asked.map((scene) => ({ ...scene, mode: 'crop' as const }))
  return followingResults(options).some((result) =>
    scenesShown({ ...seen, asked: covered }, result).some(({ mode }) => mode !== 'crop'),
  )
}

/** Decides again who is shown in which shot, now that it is known who speaks when on the timeline; the same clips if it is not. */
export function followSpeakers(clips: Clips, speech: Speech): Clips {
  const said = speech.segments.flatMap(({ speaker, words, ...segment }) =>
    speaker === undefined
      ? []
      : (words ?? [segment]).map(({ startTime, endTime }) => ({ startTime, endTime, speaker })),
  )
  if (said.length === 0 || clips.every(({ seen }) => !seen?.voice)) return clips
  return mapClips(clips, (clip) => {
    const { seen } = clip
    if (!seen) return clip
    const own = said.map(({ startTime, endTime, speaker }): SaidSpan => {
      const { beginSeconds } = seen
      const startSeconds = startTime - beginSeconds
      return { startSeconds, endSeconds: endTime - beginSeconds, speaker }
    })
    return { ...clip, seen: tellTurns(seen, own) }
  })
}

function askedIn(scenes: readonly AskedScene[], begin: number, end: number): AskedScene[] {
  return scenes
    .filter(({ startTime, endTime }) => startTime < end && endTime > begin)
    .map((scene) => ({
      ...scene,
      startTime: Math.max(0, scene.startTime - begin),
      endTime: Math.min(end, scene.endTime) - begin,
    }))
}

/** The scenes of the first result whose crop follows people, for the record; undefined if none does. */
export function tellScenes(clips: Clips, options: RenderOptions): Reframed | undefined {
  const [result] = followingResults(options)
  const scenes = clips.flatMap(({ seen }) => {
    if (!seen || !result) return []
    return scenesShown(seen, result).map((scene) => tellScene(scene, seen.beginSeconds))
  })
  if (scenes.length === 0) return undefined
  let told = 0
  const listed = scenes.slice(0, limits.reframeScenes).map(({ moves, ...scene }) => {
    told += moves?.length ?? 0
    return moves && told <= mostMoves ? { ...scene, moves } : scene
  })
  return { scenes: listed, count: scenes.length }
}

const percent = (share = 0.5): number => Math.round(share * 1_000) / 10

function tellScene(scene: Scene, begin: number): Reframed['scenes'][number] {
  const { startSeconds, endSeconds, mode, aims, faces } = scene
  const [aim] = mode === 'crop' ? aims : []
  const moves = aim ? movesOf(aim, scene, begin) : []
  return {
    startTime: thousandths(begin + startSeconds),
    endTime: thousandths(begin + endSeconds),
    mode,
    ...(aim && {
      x: percent(placeOn(aim.across, startSeconds)),
      y: percent(placeOn(aim.down, startSeconds)),
    }),
    faces,
    ...(moves.length > 0 && { moves }),
  }
}

/** Where the middle of the crop is at each turn after the start, along the side on which it moves. */
function movesOf({ across, down }: Aim, { startSeconds, endSeconds }: Scene, begin: number) {
  const sides = [
    { side: 'x', path: across },
    { side: 'y', path: down },
  ] as const
  return sides.flatMap(({ side, path }) => {
    const turns = path.map(({ seconds }) => seconds)
    const within = turns.filter((seconds) => seconds > startSeconds && seconds < endSeconds)
    const moments = [startSeconds, ...within, endSeconds]
    const places = moments.map((seconds) => percent(placeOn(path, seconds)))
    if (new Set(places).size === 1) return []
    return moments.slice(1).map((seconds, i) => ({
      time: thousandths(begin + seconds),
      [side]: places[i + 1],
    }))
  })
}
