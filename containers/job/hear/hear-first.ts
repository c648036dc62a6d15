import { cutSpokenParts } from '../../insight/edit/cut-spoken.ts'
import { cutSpoken, finishSound } from '../../sound/prepare-sound.ts'
import type { PreparedSound } from '../../sound/prepared-sound.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { frameCount } from '../../timeline/frame-spans.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { duckElements } from './duck-elements.ts'
import { carried, hearSources, listenForFillers, noSounds } from './hear-speech.ts'
import { progressOf, type JobContext } from '../job-context.ts'
import { measureCuts } from './measure-cuts.ts'
import type { MeasuredJob } from '../measure/measure-job.ts'
import type { Sources } from '../render/render-output.ts'

/** Listens to the joined clips, once for everything that needs it, and cuts their sound. */
export async function hearFirst(
  context: JobContext,
  { decoded, ...measured }: MeasuredJob,
): Promise<Sources> {
  const { clips } = measured
  const heard = await hearSources(
    context,
    { clips, sound: decoded },
    secondsLeft(measured, decoded),
    progressOf(context, 'transcribing'),
  )
  const { options } = context.job
  const found = { clips, decoded, heard }
  const looked = options.removeFillers
    ? await listenForFillers(context, found, 'removeFillers')
    : { sounds: noSounds, warnings: [] }
  const { cuts, warnings } = cutSpokenParts({ ...found, options, sounds: looked.sounds })
  const cut = decoded && (await cutSpoken(context.tools, { clips, options }, decoded, cuts))
  const sources = await cutFirst(context, { ...measured, decoded: cut })
  return {
    ...sources,
    spokenWarnings: [...looked.warnings, ...warnings],
    heard: carried(heard, sources, secondsLeft(sources, sources.sound)),
  }
}

/**
 * Cuts the sound of the joined clips, whatever is said in it, lowers the music under it, and finds how the pictures can be
 * cut by the same list.
 */
export async function cutFirst(
  context: JobContext,
  { decoded, ...measured }: MeasuredJob,
): Promise<Sources> {
  const { tools, job } = context
  const { clips } = measured
  const { options } = job
  const sound = decoded && (await finishSound(tools, { clips, options }, decoded))
  const sources = { ...measured, sound }
  const ducked = await duckElements(tools, options, sources)
  return { ...sources, ducked, cut: await measureCuts(context, clips, sources) }
}

/** The length of what the cuts leave. Without a decoded sound there is nothing to hear, or nothing was cut. */
function secondsLeft(
  { clips }: Pick<MeasuredJob, 'clips'>,
  sound: Pick<PreparedSound, 'removed'> | undefined,
): number {
  const { totalFrames, frameRate } = timelineOf(clips)
  return (totalFrames - frameCount(sound?.removed.all ?? [])) / fpsOf(frameRate)
}
