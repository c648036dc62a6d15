import { rm } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { compileTogether, type RenderPlan } from '../../render/plan-render.ts'
import { roomLeft } from '../disk-room.ts'
import { progressOf, scratchOf, type JobContext } from '../job-context.ts'
import { capsOf } from '../plan/plan-job.ts'
import { measureResult, refuseTruncated, secondsDone, type Rendered } from '../render/run-plan.ts'

/** One film of a run, by its place among the films. */
export type FilmRun = { readonly place: number; readonly plan: RenderPlan }

/**
 * Runs several plans at once, over the same pictures; nothing if that fails, because only a run for each of them shows which
 * one it is that cannot be made.
 */
export async function runTogether(
  context: JobContext,
  stem: string,
  films: readonly FilmRun[],
): Promise<ReadonlyMap<number, Rendered>> {
  const named = films.map((film) => ({ ...film, path: `${stem}${film.place}.${film.plan.format}` }))
  try {
    return await runNamed(context, named)
  } catch (error) {
    context.tools.signal.throwIfAborted()
    if (!(error instanceof JobError) || error.reason === 'out_of_time') throw error
    context.log('warn', 'Films could not be encoded together', { fault: stackOf(error) })
    for (const { path: name } of named) {
      await rm(path.join(context.tools.folder, name), { force: true })
    }
    return new Map()
  }
}

async function runNamed(
  context: JobContext,
  films: readonly (FilmRun & { readonly path: string })[],
): Promise<ReadonlyMap<number, Rendered>> {
  const made = new Map<number, Rendered>()
  const { settings, tools } = context
  const [first] = films
  if (!first) return made
  const { plan: told } = first
  // They are written at the same time.
  const roomBytes = Math.floor((await roomLeft(scratchOf(context))) / films.length)
  const onProgress = progressOf(context, 'rendering')
  await runFfmpeg(tools, compileTogether(films, capsOf(settings, roomBytes)), (progress) => {
    onProgress(secondsDone(progress, told) / Math.max(told.durationSeconds, 0.001))
  })
  for (const { place, plan, path: name } of films) {
    await refuseTruncated(path.join(tools.folder, name), roomBytes, settings.MAX_OUTPUT_BYTES)
    made.set(place, { name, facts: await measureResult(context, plan, name), plan })
  }
  return made
}
