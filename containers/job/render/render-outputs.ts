import { rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { namedKind } from '../../../worker/contract/job/media-job.ts'
import type { AttemptTrace, NamedOutput } from '../../../worker/contract/job/report.ts'
import { isSound, type Output, type SoundFormat } from '../../../worker/contract/options/outputs.ts'
import { JobError } from '../../errors/job-error.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { readTool } from '../../ffmpeg/process/run-tool.ts'
import { contentTypeOf } from '../../render/output/encoding.ts'
import { compileSound, planSoundFile, soundContentType } from '../../render/output/sound-file.ts'
import { describeCuts, secondsLeft } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { noRoom, roomLeft } from '../disk-room.ts'
import { progressOf, scratchOf, type JobContext } from '../job-context.ts'
import { capsOf, planJob } from '../plan/plan-job.ts'
import { unplannedWork, type Work } from '../report/work-ahead.ts'
import { asOutput, optionsOf } from './as-output.ts'
import { addThumbnail, type Finished } from './finish-output.ts'
import { renderOutput } from './render-output.ts'
import type { Rendered } from './run-plan.ts'

/** The file of one output in the job folder, and what the report says of it. */
export type MadeOutput = {
  readonly file: string
  readonly contentType: string
  readonly told: NamedOutput
}

/** All outputs in their order, and the first video among them with its still. */
export type MadeOutputs = {
  readonly made: readonly MadeOutput[]
  readonly first: Finished | undefined
}

type SoundOutput = Output & { readonly outputFormat: SoundFormat }

const isSoundOutput = (output: Output): output is SoundOutput => isSound(output.outputFormat)

/** A sound takes about this share of the time of a film. */
const soundShare = 0.05

/**
 * Renders one output after another from the same cut footage: what was measured, heard, cut and prepared is not done again.
 * The films come first, because a sound gets a still of the first one as its cover.
 */
export async function renderOutputs(cut: Cut, outputs: readonly Output[]): Promise<MadeOutputs> {
  const films = outputs.filter((output) => !isSoundOutput(output))
  const sounds = outputs.filter(isSoundOutput)
  const units = films.length + sounds.length * soundShare
  const made = new Map<string, MadeOutput>()
  // An output that is tried again tells its last plan.
  const plans = new Map<string, Plan>()
  let first: Finished | undefined
  const begunAt = performance.now()
  cut.context.reporter.expect({ rendering: workOf(cut, outputs) })
  for (const [i, output] of films.entries()) {
    const shares = [i / units, (i + 1) / units] as const
    const context = contextOf(cut.context, shares, {
      undivided: films.length > 1 ? 'the job has several outputs' : undefined,
      onPlan: (plan) => plans.set(output.name, plan ?? {}),
    })
    const video = await named(outputs, output, async () =>
      renderFilm({ ...cut, context }, output, i),
    )
    const isFirst = first === undefined
    first ??= await addThumbnail(cut.context, video, performance.now() - begunAt)
    made.set(output.name, filmMade(output, video, isFirst))
  }
  for (const [i, output] of sounds.entries()) {
    const from = films.length + i * soundShare
    const context = contextOf(cut.context, [from / units, (from + soundShare) / units], {})
    made.set(
      output.name,
      await named(outputs, output, async () =>
        renderSound({ ...cut, context }, output, { cover: first?.thumbnail, place: i }),
      ),
    )
  }
  tellPlans(cut, plans)
  return { made: outputs.flatMap(({ name }) => made.get(name) ?? []), first }
}

/** The work of all outputs, as if each were made by the pace of the slowest kind. */
function workOf(cut: Cut, outputs: readonly Output[]): Work | undefined {
  const { options } = cut.context.job
  const { video } = cut.clips[0].facts
  const works = outputs
    .filter((output) => !isSoundOutput(output))
    .flatMap((output) => unplannedWork(optionsOf(options, output), video, secondsLeft(cut)) ?? [])
  const [most] = works.toSorted((a, b) => b.units - a.units)
  return most && { ...most, units: works.reduce((sum, { units }) => sum + units, 0) }
}

type ToldPlan = AttemptTrace['plan']
type Plan = NonNullable<ToldPlan>
type OfOutput = Pick<JobContext, 'undivided'> & { onPlan?: (plan: ToldPlan) => void }

/** The context of one output: its progress counts between these shares of the rendering. */
function contextOf(
  context: JobContext,
  [from, to]: readonly [number, number],
  { undivided, onPlan = () => undefined }: OfOutput,
): JobContext {
  const { reporter, trace } = context
  const part = to - from
  const progress: typeof reporter.progress = (phase, share, again = 0) =>
    phase === 'rendering'
      ? reporter.progress(phase, from + part * share, again * part)
      : reporter.progress(phase, share, again)
  return {
    ...context,
    undivided,
    // The work of all outputs is told at once.
    reporter: { ...reporter, progress, expect: () => undefined },
    trace: { ...trace, plan: onPlan },
  }
}

/** Whatever goes wrong names the output that it went wrong with. */
async function named<Result>(
  outputs: readonly Output[],
  output: Output,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof JobError)) throw error
    const { reason, retryable, message } = error
    const field = `outputs[${outputs.indexOf(output)}] (${output.name})`
    throw new JobError(reason, `${field}: ${message}`.slice(0, 500), { retryable, cause: error })
  }
}

async function renderFilm(cut: Cut, output: Output, place: number): Promise<Rendered> {
  const rendered = await renderOutput(await planJob(await asOutput(cut, output)))
  // The next output writes files of the same names.
  const name = `film${place}.${rendered.plan.format}`
  const { folder } = cut.context.tools
  await rename(path.join(folder, rendered.name), path.join(folder, name))
  return { ...rendered, name }
}

function filmMade({ name }: Output, { name: file, facts, plan }: Rendered, isFirst: boolean) {
  return {
    file,
    contentType: contentTypeOf(plan.format),
    told: {
      name,
      kind: isFirst ? 'final' : namedKind(name),
      format: plan.format,
      width: facts.video.width,
      height: facts.video.height,
      duration: thousandths(facts.durationSeconds),
      warnings: plan.warnings.slice(0, 200),
    },
  } satisfies MadeOutput
}

type SoundPlace = { readonly cover: string | undefined; readonly place: number }

async function renderSound(
  cut: Cut,
  output: SoundOutput,
  { cover, place }: SoundPlace,
): Promise<MadeOutput> {
  const { context } = cut
  const { settings, tools } = context
  const options = optionsOf(context.job.options, output)
  const none = { captions: undefined, captionFile: undefined, copy: undefined }
  const plan = planSoundFile({ ...cut, ...none }, options, output)
  if (!plan) {
    const message = 'The source has no sound, so no file of its sound can be made.'
    throw new JobError('nothing_left', message)
  }
  const file = `sound${place}.${plan.format}`
  const roomBytes = await roomLeft(scratchOf(context))
  const onProgress = progressOf(context, 'rendering')
  const title = context.job.title ?? ''
  const command = compileSound(plan, file, capsOf(settings, roomBytes), { title, cover })
  await runFfmpeg(tools, command, ({ outSeconds }) =>
    onProgress(outSeconds / Math.max(plan.durationSeconds, 0.001)),
  )
  await refuseTooLarge(path.join(tools.folder, file), roomBytes, settings.MAX_OUTPUT_BYTES)
  const duration = thousandths(await secondsOf(context, file))
  return {
    file,
    contentType: soundContentType(plan.format),
    told: {
      ...{ name: output.name, kind: namedKind(output.name), format: plan.format, duration },
      warnings: plan.warnings.slice(0, 200),
    },
  }
}

/** ffmpeg succeeds when it reaches the size limit, with a truncated file. */
async function refuseTooLarge(file: string, roomBytes: number, mostBytes: number): Promise<void> {
  const { size } = await stat(file)
  if (size >= roomBytes && roomBytes < mostBytes) throw noRoom()
  if (size < mostBytes) return
  throw new JobError('output_too_large', `The result would be larger than ${mostBytes} bytes.`)
}

/** We have just written the file, so its head is right. */
async function secondsOf({ tools }: JobContext, file: string): Promise<number> {
  const entries = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0']
  const { stdout } = await readTool(tools, 'ffprobe', [...entries, `file:${file}`])
  const seconds = Number.parseFloat(stdout)
  return Number.isFinite(seconds) ? seconds : 0
}

/** The plan of the first film, as for a request without outputs, and those of all films; of sounds alone the cuts. */
function tellPlans({ context, removed, timeline }: Cut, plans: ReadonlyMap<string, Plan>): void {
  const [first] = plans.values()
  const isObject = typeof first === 'object' && !Array.isArray(first)
  const head = isObject ? first : { cuts: describeCuts(removed, timeline) }
  context.trace.plan({ ...head, outputs: [...plans].map(([name, plan]) => ({ name, plan })) })
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
