import type { Check } from '../../../worker/contract/job/check.ts'
import { worstOf } from '../../../worker/contract/job/check.ts'
import { BrokenResult } from '../../errors/broken-result.ts'
import { JobError, type FailedProof } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import type { JobContext } from '../job-context.ts'
import type { Video } from '../../timeline/finished-video.ts'
import { planWith, type Planned } from '../plan/plan-job.ts'
import { uploadStills } from '../render/finish-output.ts'
import { checksOf } from '../report/work-ahead.ts'
import type { FirstEncode } from '../render/render-freely.ts'
import { renderOutput } from '../render/render-output.ts'
import type { Rendered } from '../render/run-plan.ts'
import { checkFilm } from './check-film.ts'
import { takeStills } from './take-stills.ts'
import { asDoubt } from './check-tables.ts'

/** A film and the results of its checks. */
export type CheckedFilm = Rendered & { readonly checks: readonly Check[] }

/**
 * Renders a film and checks it. A film that fails is rendered again in the safest way: encoded whole, with one thread.
 */
export async function renderChecked(
  planned: Planned,
  first: FirstEncode | undefined,
): Promise<CheckedFilm> {
  const { made, checks } = await makeChecked(planned.context, async (fault) => {
    const own = fault ? saferPlan(planned, fault) : planned
    const film = await renderOutput(own, fault ? undefined : first)
    if (!fault) own.context.reporter.expect({ checking: checksOf(film.plan, own.clips) })
    const { durationSeconds: seconds } = film.facts
    return { made: film, film, seconds, look: async () => checkFilm(own, film) }
  })
  return { ...made, checks }
}

/** A result, and how to check it. */
type Made<Result> = {
  readonly made: Result
  readonly look: () => Promise<readonly Check[]>
  /** Where its pictures are, if stills of them can be taken. */
  readonly film?: Video | undefined
  readonly seconds?: number | undefined
}

/**
 * Makes a result and checks it; if a check fails, makes it again in a safer way. If that does not help, the job fails and
 * names the check.
 */
export async function makeChecked<Result>(
  context: JobContext,
  make: (fault: Check | undefined) => Promise<Made<Result>>,
): Promise<{ readonly made: Result; readonly checks: readonly Check[] }> {
  const first = await makeOrBreak(make, undefined)
  const checks = await lookAt(context, first)
  const fault = checks.find(({ result }) => result === 'failed')
  if (!(first instanceof BrokenResult) && !fault)
    return { made: first.made, checks: placed(first.film, checks) }
  context.log('warn', 'A result failed a check and is made again', {
    check: fault?.name,
    fault: fault?.message,
  })
  const again = await makeOrBreak(make, fault)
  if (again instanceof BrokenResult) throw again
  const checksOfAgain = await lookAt(context, again)
  const lasting = checksOfAgain.find((one) => isWrong(one, again.seconds))
  if (lasting) {
    const message = `${lasting.name}: ${lasting.message}`.slice(0, 500)
    const found = checksOfAgain.map((one) => (isWrong(one, again.seconds) ? one : asDoubt(one)))
    const proof = await proofOf(context, again.film, found)
    throw new JobError('check_failed', message, { proof })
  }
  context.log('info', 'A result was made again', { worst: worstOf(checksOfAgain) })
  return { made: again.made, checks: placed(again.film, checksOfAgain.map(asDoubt)) }
}

/** Makes a result, or reports that it cannot even be read. */
async function makeOrBreak<Result>(
  make: (fault: Check | undefined) => Promise<Made<Result>>,
  fault: Check | undefined,
): Promise<Made<Result> | BrokenResult> {
  return make(fault).catch((error: unknown) => {
    if (error instanceof BrokenResult) return error
    throw error
  })
}

/** The same footage with one thread, in which programs have the fewest faults, if it was made before with a fault. */
export function saferAfter<Footage extends { readonly context: JobContext }>(
  fault: Check | undefined,
  footage: Footage,
): Footage {
  if (!fault) return footage
  const { context } = footage
  const settings = { ...context.settings, FFMPEG_THREADS: 1 }
  const inOneThread = { ...context, settings, tools: { ...context.tools, threads: 1 } }
  return { ...footage, context: inOneThread }
}

type CheckNames = ReadonlySet<Check['name']>
/** Faults that these checks find are facts of the file. A fault that the other checks find twice may come from an odd source. */
const certain: CheckNames = new Set(['length', 'size', 'decoding', 'seams', 'colors', 'playback'])
/** A film that mostly cannot be seen or heard, or mostly shows something else, is not what was asked for. */
const wrongInMost: CheckNames = new Set(['pictures', 'black', 'silence'])
const most = 0.6

function isWrong({ name, result, stretch }: Check, seconds = Number.MAX_VALUE): boolean {
  if (result !== 'failed') return false
  // A check without a stretch concerns the whole result.
  const length = stretch ? stretch.endTime - stretch.startTime : Infinity
  if (wrongInMost.has(name)) return length > most * seconds
  // Only a comparison of colours with those of the source has a stretch.
  return certain.has(name) && (name !== 'colors' || !stretch)
}

/** Stores a picture of each place at which a check failed, for the owner of a film that is not kept. */
async function proofOf(
  context: JobContext,
  film: Video | undefined,
  checks: readonly Check[],
): Promise<FailedProof> {
  const taken = await takeStills(context, [{ film, checks: placed(film, checks) }])
  const outputs = await uploadStills(context, undefined, taken.stills)
  return { checks: [...(taken.checks[0] ?? [])], outputs }
}

/** Gives faults of the whole film the whole film as their stretch. */
function placed(film: Video | undefined, checks: readonly Check[]): Check[] {
  return checks.map((one) => {
    if (!film || one.result === 'passed' || one.stretch) return one
    return { ...one, stretch: { startTime: 0, endTime: film.facts.durationSeconds } }
  })
}

/** A check that cannot be made says nothing about the result, and its owner is told so. */
async function lookAt<Result>(
  { tools, log }: JobContext,
  made: Made<Result> | BrokenResult,
): Promise<readonly Check[]> {
  if (made instanceof BrokenResult) return [made.check]
  try {
    return await made.look()
  } catch (error) {
    tools.signal.throwIfAborted()
    log('error', 'A result could not be checked', { fault: stackOf(error) })
    return [unchecked]
  }
}

const unchecked: Check = {
  name: 'decoding',
  result: 'warned',
  message: 'The service could not check this result, for a reason of its own.',
}

function saferPlan(planned: Planned, fault: Check): Planned {
  const why = `the check of its ${fault.name} failed`
  const own = saferAfter(fault, planned)
  const context = { ...own.context, undivided: why }
  const safer = { ...own, context, copying: { forbidden: why, hasFailed: true } as const }
  return { ...safer, plan: planWith(safer) }
}
