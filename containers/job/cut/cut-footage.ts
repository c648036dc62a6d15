import type { CutFootage, RenderSources } from '../../render/render-sources.ts'
import { cutSpoken, finishSound } from '../../sound/prepare-sound.ts'
import type { Transcription } from '../../timeline/speech.ts'
import { secondsLeft } from '../../timeline/list-cuts.ts'
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
  spoken,
  textWarnings,
  ...heard
}: Heard): Promise<Cut> {
  const { context, clips, timeline } = heard
  const { tools, job } = context
  const request = { clips, timeline, options: job.options }
  const wanted = decoded && (await cutSpoken(tools, request, decoded, spoken.cuts))
  const sound = wanted && (await finishSound(tools, request, wanted))
  const removed = sound?.removed ?? heard.removed
  const ducked = await duckElements(tools, job.options, { ...heard, sound, removed })
  const footage = { ...heard, sound, removed, ducked }
  const transcription =
    heard.transcription && carried(heard.transcription, footage, secondsLeft(footage))
  return {
    ...footage,
    copy: await measureCuts(context, footage),
    transcription,
    warnings: [...spoken.warnings, ...(sound?.warnings ?? []), ...textWarnings],
  }
}
