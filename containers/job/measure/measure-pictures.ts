import type { FaceCounts } from '../../../worker/contract/job/report.ts'
import { stackOf } from '../../errors/log.ts'
import type { TakenVideo } from '../../ffmpeg/take-video.ts'
import { speechSoundBytes } from '../../sound/speech-sound.ts'
import type { Clips } from '../../timeline/clip.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { JobContext } from '../job-context.ts'
import { findClipFaces, maskBytes } from './find-faces.ts'
import { followPeople } from './follow-people.ts'
import { measureOnce, type JobMeasures } from './measured-once.ts'
import { foundBytes, steadyClips } from './shake/measure-shake.ts'
import { isHeardOnly } from './take-files.ts'
import { followingResults } from '../../render/output-options.ts'

type LookedFor = Pick<Looking, 'isLooked' | 'isShown' | 'isFollowed'>

/** How much disk space the findings about pictures take. Those that only one clip needs are removed before the next. */
export function sizeOfFound(clips: Clips, { isLooked, isShown, isFollowed }: LookedFor): number {
  const masks = isLooked ? clips.reduce((sum, clip) => sum + maskBytes(clip), 0) : 0
  const motion = isShown ? Math.max(...clips.map(foundBytes)) : 0
  const seconds = Math.max(...clips.map(({ facts }) => facts.durationSeconds))
  return masks + motion + (isFollowed ? speechSoundBytes(seconds) : 0)
}

/** For which purposes all pictures are examined. A plan does not wait until a whole film was searched for people. */
export function picturesAsked({ job: { options }, mayListenMs }: JobContext, isSteadied: boolean) {
  const isSeen = !isHeardOnly(options)
  const maySee = isSeen && mayListenMs === undefined
  return {
    isShown: options.stabilize && isSeen && isSteadied,
    isLooked: options.blurFaces === true && maySee,
    isFollowed: followingResults(options).length > 0 && maySee,
  }
}

type Looking = {
  readonly clips: Clips
  readonly timeline: CutTimeline['timeline']
  readonly taken: readonly TakenVideo[]
  /** Whether their faces are covered, whether they are stabilised, and whether the crop follows people. */
  readonly isLooked: boolean
  readonly isShown: boolean
  readonly isFollowed: boolean
  readonly kept: JobMeasures | undefined
  readonly onProgress: (share: number) => void
}

type SeenClips = Required<Pick<JobContext, 'isUnseen'>> & {
  readonly clips: Clips
  readonly faces?: FaceCounts
  readonly seenWarnings: readonly string[]
}

/** Finds, in the pictures of all clips, what is to be covered, then how they shake, and then who is seen. */
export async function measurePictures(
  context: JobContext,
  tools: ToolContext,
  { clips, timeline, taken, isLooked, isShown, isFollowed, kept, onProgress }: Looking,
): Promise<SeenClips> {
  const { job, providers, log } = context
  const { options, inputs } = job
  const { findFaces, findBodies, voices } = providers
  const passes = Number(isLooked) + Number(isShown) + Number(isFollowed)
  const once = measureOnce(kept, taken)
  let begun = 0
  const nextPass = (): ((share: number) => void) => {
    const before = begun++
    return (share) => onProgress((before + share) / passes)
  }
  const masked = isLooked
    ? await findClipFaces(tools, {
        ...{ clips, findFaces, once, onProgress: nextPass() },
        isSeen: (i) => !taken[i]?.isSoundAlone,
      })
    : { clips }
  const steadied = isShown
    ? await steadyClips(
        { ...context, tools },
        {
          ...{ clips: masked.clips, once, onProgress: nextPass() },
          isFilmed: (i) => isFilmed(taken[i], inputs[i]),
        },
      )
    : undefined
  const steady = steadied ?? masked.clips
  const seenWarnings = new Set<string>()
  const seen = isFollowed
    ? await followPeople(tools, steady, {
        ...{ timeline, options, findFaces, findBodies, once, voices, onProgress: nextPass() },
        onListen: () => kept?.noteMeasured(),
        onFault: (error) => {
          log('error', 'The voice detector failed', { fault: stackOf(error) })
          seenWarnings.add(untoldSpeech)
        },
      })
    : steady
  const isUnseen = (options.stabilize && !steadied) || (options.blurFaces === true && !isLooked)
  return { ...masked, clips: seen, isUnseen, seenWarnings: [...seenWarnings] }
}

const untoldSpeech =
  'resizeMode: the voice detector failed, so it was not told who speaks, and several people are shown as if that was uncertain.'

/** A picture drawn for a sound, or from a still, moves as it was told to. */
function isFilmed(
  taken: TakenVideo | undefined,
  input: JobContext['job']['inputs'][number] | undefined,
) {
  return !taken?.isSoundAlone && input?.duration === undefined
}
