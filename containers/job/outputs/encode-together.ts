import { rm } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import { compileTogether, type RenderPlan } from '../../render/plan-render.ts'
import { roomLeft } from '../disk-room.ts'
import { progressOf, scratchOf, type JobContext } from '../job-context.ts'
import { capsOf, planWith, type Planned } from '../plan/plan-job.ts'
import type { FirstEncode } from '../render/render-output.ts'
import { measureResult, refuseTruncated, secondsDone } from '../render/run-plan.ts'

/** A film among the outputs, by its place. */
export type FilmOutput = { readonly place: number; readonly planned: Planned }

/** Encoders keep several pictures each, so only as many work side by side as these pixels allow: four of 1080p. */
const mostPixels = 8_400_000
const mostFilms = 6

/**
 * The films that one run of ffmpeg makes: those whose pictures are all encoded, and whose bytes nothing limits. What they have
 * in common is decoded, cut and cleaned once.
 */
export function groupsOf(films: readonly FilmOutput[]): FilmOutput[][] {
  const groups: FilmOutput[][] = []
  for (const film of films.filter(canJoin)) {
    const group = groups.at(-1)
    const fits = group && group.length < mostFilms && pixelsOf([...group, film]) <= mostPixels
    if (fits) group.push(film)
    else groups.push([film])
  }
  return groups.filter(({ length }) => length > 1)
}

function canJoin({ planned }: FilmOutput): boolean {
  const { maxBytes, maxBitrate } = planned.context.job.options
  // An excerpt is read from another place of its files.
  const isWhole = planned.plan.excerpt === undefined
  return isWhole && planned.plan.video === 'encode' && (maxBytes ?? maxBitrate) === undefined
}

function pixelsOf(films: readonly FilmOutput[]): number {
  return films.reduce((sum, { planned: { plan } }) => sum + plan.width * plan.height, 0)
}

/**
 * Encodes several films in one run; nothing if that fails, because only a run for each of them shows which one it is that
 * cannot be made.
 */
export async function encodeTogether(
  context: JobContext,
  films: readonly FilmOutput[],
): Promise<ReadonlyMap<number, FirstEncode>> {
  const runs = films.map((film) => ({ ...film, ...firstRun(film) }))
  try {
    return await encodeAll(context, runs)
  } catch (error) {
    context.tools.signal.throwIfAborted()
    const isOurs = error instanceof JobError && error.reason === 'out_of_time'
    if (isOurs) throw error
    context.log('warn', 'Films could not be encoded together', { fault: stackOf(error) })
    for (const { path: name } of runs)
      await rm(path.join(context.tools.folder, name), { force: true })
    return new Map()
  }
}

async function encodeAll(context: JobContext, runs: readonly (FilmOutput & FirstRun)[]) {
  const { settings, tools } = context
  // They are written at the same time.
  const roomBytes = Math.floor((await roomLeft(scratchOf(context))) / runs.length)
  const caps = capsOf(settings, roomBytes)
  const [first] = runs
  if (!first) return new Map<number, FirstEncode>()
  const onProgress = progressOf(context, 'rendering')
  await runFfmpeg(tools, compileTogether(runs, caps), (progress) => {
    onProgress(secondsDone(progress, first.plan) / Math.max(first.plan.durationSeconds, 0.001))
  })
  const made = new Map<number, FirstEncode>()
  for (const { place, plan, path: name, notes } of runs) {
    await refuseTruncated(path.join(tools.folder, name), roomBytes, settings.MAX_OUTPUT_BYTES)
    const facts = await measureResult(context, plan, name)
    made.set(place, { result: { name, facts, plan }, notes })
  }
  return made
}

type FirstRun = {
  readonly plan: RenderPlan
  readonly path: string
  readonly notes: string | undefined
}

/** Its encoder notes what each picture takes if bytes may have to be shared out by that. */
function firstRun({ place, planned }: FilmOutput): FirstRun {
  const notes = canShareOut(planned.plan.codec) ? `notes${place}` : undefined
  const pass = notes === undefined ? undefined : ({ kind: 'whole', notes } as const)
  const plan = planWith(planned, { pass })
  return { plan, path: `together${place}.${plan.format}`, notes }
}
