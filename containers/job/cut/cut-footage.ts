import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import type { CutFootage, RenderSources } from '../../render/render-sources.ts'
import { assumedSound } from '../../sound/assumed-sound.ts'
import { cutSpoken, finishSound } from '../../sound/prepare-sound.ts'
import { decideJoints } from '../../timeline/joints.ts'
import type { Transcription } from '../../timeline/speech.ts'
import { secondsLeft, type Removed } from '../../timeline/list-cuts.ts'
import { carried } from '../hear/hear-speech.ts'
import type { Heard } from '../hear/hear-words.ts'
import type { Measured } from '../measure/measure-job.ts'
import { duckElements } from './duck-elements.ts'
import { measureCuts } from './measure-cuts.ts'

/** The footage of a job once everything is cut by one list. */
export type Cut = CutFootage &
  Pick<RenderSources, 'copy' | 'warnings'> &
  Pick<Measured, 'context' | 'fetched' | 'fonts'> & {
    /** With times in the finished video; undefined if nothing waits for it. */
    readonly transcription: Transcription | undefined
  }

/** Cuts the sound, lowers the music under it, and finds how the pictures can be cut by the same list. */
export async function cutFootage({
  sound: decoded,
  isHeard,
  spoken,
  textWarnings,
  ...heard
}: Heard): Promise<Cut> {
  const { context, clips, timeline } = heard
  const { tools, job } = context
  const request = { clips, timeline, options: job.options }
  const wanted = decoded && (await cutSpoken(tools, request, decoded, spoken.cuts))
  const removed = wanted?.removed ?? heard.removed
  const { joints, warnings } = jointsOf(heard, removed, job.options)
  const sound = isHeard
    ? wanted && (await finishSound(tools, { ...request, joints }, wanted))
    : assumedSound({ clips, timeline, removed, joints }, job.options)
  const ducked = await duckElements(tools, job.options, { ...heard, sound, removed, joints })
  const footage = { ...heard, sound, removed, joints, ducked }
  const transcription =
    heard.transcription && carried(heard.transcription, footage, secondsLeft(footage))
  return {
    ...footage,
    copy: await measureCuts(context, footage),
    transcription,
    warnings: [...spoken.warnings, ...(sound?.warnings ?? []), ...warnings, ...textWarnings],
  }
}

/** While both sides of a transition are shown, the pictures of one wait for those of the other. */
const mostWaitingBytes = 1024 ** 3

function jointsOf(
  { clips, timeline, shaped }: Pick<Heard, 'clips' | 'timeline' | 'shaped'>,
  removed: Removed,
  { cutTransition }: ProcessingOptions,
) {
  const { width, height } = shaped.clips.length > 1 ? shaped.frame : clips[0].facts.video
  const pictureBytes = width * height * 1.5
  const mostFrames = Math.floor(mostWaitingBytes / pictureBytes)
  return decideJoints({ timeline, removed: removed.all, clips, cutTransition, mostFrames })
}
