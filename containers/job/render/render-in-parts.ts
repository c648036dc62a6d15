import { readdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { stackOf } from '../../errors/log.ts'
import { joinParts, type MadePart } from '../../parts/make/join-parts.ts'
import { encodeSound } from '../../parts/make/part-sound.ts'
import { renderPart } from '../../parts/make/render-part.ts'
import { divideSound } from '../../parts/make/sound-ranges.ts'
import type { PartCarrier, PartProgress, PartResult, PartTask } from '../../parts/part-carrier.ts'
import { planParts, type DividedFilm, type PartsChoice } from '../../parts/plan/plan-parts.ts'
import { faultOfJoined, faultOfParts } from '../../parts/proof/prove-parts.ts'
import { writeTasks } from '../../parts/spec/write-spec.ts'
import { workInParts, type ToldOf } from '../../parts/work-in-parts.ts'
import { describePlan, type RenderPlan } from '../../render/plan-render.ts'
import { progressOf, type JobContext } from '../job-context.ts'
import type { Planned } from '../plan/plan-job.ts'
import { renderingWork } from '../report/work-ahead.ts'
import { paceOf } from '../report/work-kinds.ts'
import { heldBackIn } from '../../render/output/picture-codecs.ts'
import { type Written, runPlan, type Rendered } from './run-plan.ts'
import { trackOf } from '../../graph/output-track.ts'

/** How many parts are rendered at a time, by which media workers and with how many threads. */
type Lanes = {
  readonly here: number
  readonly elsewhere: number
  readonly threads: number
  readonly freeHere?: Promise<void> | undefined
}

/** A film that is divided, and who renders its parts. */
export type FilmDivision = { readonly parts: DividedFilm; readonly lanes: Lanes }

const nobody: PartCarrier = {
  idle: async () => ({ idle: 0, beside: 0 }),
  run: async () => undefined,
}
const mostElsewhere = 200

type PartsTold = ToldOf<PartTask>

/** Decides whether the encode of a film is divided; undefined if it cannot be. */
export async function divideFilm(
  planned: Planned,
  plan: RenderPlan,
): Promise<{ division: FilmDivision } | Extract<PartsChoice, { whole: string }> | undefined> {
  const { context, clips } = planned
  const { carrier = nobody, tools, undivided } = context
  if (undivided !== undefined) return { whole: undivided }
  if (carrier.fault !== undefined) return { whole: carrier.fault }
  const { idle, beside } = await carrier.idle()
  const elsewhere = Math.min(mostElsewhere, idle)
  const lanes = { here: 1, elsewhere, threads: tools.threads }
  const { units, kind } = renderingWork(plan, clips, context.job.options.compressionQuality)
  const wholeSeconds = (units * paceOf(kind, context.job.paces ?? {}).ms) / 1_000
  const choice = await planParts(tools, {
    ...{ plan, clips, wholeSeconds, isAllowed: context.job.options.split },
    lanes: lanes.here + elsewhere,
    speed: lanes.here + elsewhere - beside + Math.min(beside, spareHere(tools)),
  })
  if (!choice || 'whole' in choice) return choice
  return { division: { parts: withThreads(choice.parts, lanes.threads), lanes } }
}

/** Whether a film is divided, or why not. */
export type DivisionChoice = Awaited<ReturnType<typeof divideFilm>>

export function isDivided(choice: DivisionChoice): choice is { division: FilmDivision } {
  return choice !== undefined && 'division' in choice
}

/** How many more runs of ffmpeg the cores of this machine carry. With more threads, each run keeps fewer cores busy. */
function spareHere({ threads }: ToolContext): number {
  return Math.max(0, availableParallelism() / threads ** 0.8 - 1)
}

/** The same division of the same film, coded as another plan says. */
export function codedAs({ parts, lanes }: FilmDivision, { tracks }: RenderPlan): FilmDivision {
  const picture = trackOf(tracks, 'video')
  if (!picture) throw new Error('A film without pictures was divided')
  return { parts: withThreads({ ...parts, coding: picture.coding }, lanes.threads), lanes }
}

/** All parts are coded with the same number of threads, because the description of their pictures may depend on it. */
function withThreads(parts: DividedFilm, threads: number): DividedFilm {
  const at = parts.coding.indexOf('-threads')
  return { ...parts, coding: parts.coding.with(at + 1, String(threads)) }
}

type Watching = {
  /** Returns how often the encode will have to be repeated; an error ends the encode. */
  readonly onWritten: (written: Written) => number
  /** The name of the film's file without its extension. */
  readonly stem: string
}

/** The share of the rendering that the parts take; the rest is joining and proving them. */
const partsShare = 0.95

/** Renders a film in parts, joins and proves them. If any of this fails, the film is rendered as a whole. */
export async function renderInParts(
  context: JobContext,
  plan: RenderPlan,
  { parts, lanes }: FilmDivision,
  { onWritten, stem }: Watching,
): Promise<{ result: Rendered } | { why: string }> {
  const { tools, log } = context
  try {
    const said = { ...plan, parts: { begins: parts.spans.map(({ from }) => from) } }
    context.trace.plan(describePlan(said))
    const againAfter = (told: PartsTold) => onWritten(writtenIn(told, parts, plan))
    const onTold = tellWritten(context, againAfter)
    const encoded = Promise.withResolvers<void>()
    const divided = divideSound(plan)
    // Rendering ranges of the sound meanwhile would keep all cores busy, and in long films the sound would be ready last.
    const freeHere = divided && encoded.promise
    const onFault = (error: unknown): void =>
      log('warn', 'Ranges of a sound failed; it is encoded whole', { fault: stackOf(error) })
    const [made, sound] = await together(tools, [
      async (tools) =>
        encodeAll({ ...context, tools }, plan, { parts, lanes: { ...lanes, freeHere } }, onTold),
      async (tools) =>
        encodeSound(tools, plan, { divided, onFault }).finally(() => encoded.resolve()),
    ])
    const before = await faultOfParts(tools, made)
    if (before !== undefined) return { why: before }
    const joined = await joinParts(tools, made, parts.pictures, plan.format)
    const others = plan.tracks.filter(({ stream }) => stream.kind === 'subtitle')
    const tracks = [joined.track, ...(sound ? [sound.track] : []), ...others]
    const reporter = { ...context.reporter, progress: () => undefined }
    const result = await runPlan({ ...context, reporter }, { ...said, tracks }, stem)
    const proof = {
      ...joined,
      parts: made,
      pictures: parts.pictures,
      soundSeconds: sound?.endSeconds,
    }
    const why = await faultOfJoined(tools, result, proof)
    return why === undefined ? { result: { ...result, plan: said } } : { why }
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'Rendering a film in parts failed', { fault: stackOf(error) })
    return { why: error instanceof Error ? error.message : 'it failed' }
  } finally {
    await removeParts(tools)
  }
}

const ofParts = /^parts?[-.]/

/** Removes the parts: the disk may be small, and the film may be rendered again at another quality. */
export async function removeParts({ folder }: ToolContext): Promise<void> {
  const names = await readdir(folder)
  await Promise.all(
    names
      .filter((name) => ofParts.test(name))
      .map(async (name) => rm(path.join(folder, name), { force: true })),
  )
}

/** Reports how far the film is. */
function tellWritten(
  context: JobContext,
  againAfter: (told: PartsTold) => number,
): (told: PartsTold) => void {
  const onProgress = progressOf(context, 'rendering')
  return (told) => {
    const again = againAfter(told)
    const encoded = told.reduce((sum, { pictures }) => sum + pictures, 0)
    const total = told.reduce((sum, { task }) => sum + encodedIn(task.spec), 0)
    onProgress((partsShare * encoded) / total, again)
  }
}

/** Renders the pictures of all parts. */
export async function encodeAll(
  context: JobContext,
  plan: RenderPlan,
  { parts, lanes }: FilmDivision,
  onTold: (told: PartsTold) => void,
): Promise<MadePart[]> {
  const { tools, log, carrier = nobody } = context
  const sources = [...parts.tables.keys()].filter((name) => !name.startsWith('element'))
  const tasks = await writeTasks({ folder: tools.folder, ...plan, sources }, parts)
  carrier.begin?.()
  return workInParts<PartTask, PartResult>({
    ...{ tasks, ...lanes, signal: tools.signal },
    sizeOf: ({ spec }) => spec.count,
    workHere: async (task, signal, onPart) => {
      const here = { ...tools, signal, threads: lanes.threads }
      return toEnd(task, { n: task.n, ...(await renderPart(here, task.spec, onPart)) }, onPart)
    },
    workElsewhere: async (task, signal, onPart) =>
      toEnd(task, await carrier.run(task, signal, onPart), onPart),
    onProgress: onTold,
    onFailure: ({ n }, error) =>
      log('warn', 'A part of a film failed', { n, fault: stackOf(error) }),
  })
}

/** Reports all pictures of a part that is done: some may not have been reported while it was encoded. */
function toEnd<Result extends PartResult | undefined>(
  { spec }: PartTask,
  result: Result,
  onPart: PartProgress,
): Result {
  if (result) onPart({ pictures: encodedIn(spec), bytes: result.sizeBytes })
  return result
}

function encodedIn({ before, count, after }: { before: number; count: number; after: number }) {
  return before + count + after
}

/** How much of the film all parts have written; encoders hold some of the pictures back that they count. */
function writtenIn(
  told: PartsTold,
  { pictures }: DividedFilm,
  { codec }: Pick<RenderPlan, 'codec'>,
): Written {
  let [first, pictureBytes] = [0, 0]
  const stretches = told.flatMap(({ task: { spec }, pictures: encoded, bytes }) => {
    const begin = first - spec.before
    first += spec.count
    const held = encoded === encodedIn(spec) ? 0 : heldBackIn(codec)
    const end = Math.min(first, begin + encoded - held)
    if (end <= begin) return []
    pictureBytes += bytes
    return [{ from: secondsAt(pictures, begin), to: secondsAt(pictures, end) }]
  })
  return { pictureBytes, stretches }
}

export function secondsAt({ tickOf, timescale }: DividedFilm['pictures'], picture: number): number {
  return (tickOf(picture) - tickOf(0)) / timescale
}

/** Does two things at the same time; the first failure stops the other. */
async function together<One, Other>(
  tools: ToolContext,
  [one, other]: readonly [
    (tools: ToolContext) => Promise<One>,
    (tools: ToolContext) => Promise<Other>,
  ],
): Promise<[One, Other]> {
  const failed = new AbortController()
  const signal = AbortSignal.any([tools.signal, failed.signal])
  const orStop = async <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      failed.abort(error)
      throw error
    })
  const both = [orStop(one({ ...tools, signal })), orStop(other({ ...tools, signal }))] as const
  await Promise.allSettled(both)
  return Promise.all(both)
}
