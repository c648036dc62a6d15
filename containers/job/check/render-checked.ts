import type { Check } from '../../../worker/contract/job/check.ts'
import { worstOf } from '../../../worker/contract/job/check.ts'
import { JobError } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import { planWith, type Planned } from '../plan/plan-job.ts'
import { renderOutput, type FirstEncode } from '../render/render-output.ts'
import type { Rendered } from '../render/run-plan.ts'
import { checkFilm } from './check-film.ts'

/** A film, and what was found in it. */
export type CheckedFilm = Rendered & { readonly checks: readonly Check[] }

/**
 * Renders a film and looks at it. What is not as it has to be is rendered once more in the way in which least can go wrong: whole,
 * encoded, with one thread. If that does not help, the job fails and names the check.
 */
export async function renderChecked(
  planned: Planned,
  {
    first,
    onRendered,
  }: { first?: FirstEncode | undefined; onRendered?: (plan: RenderPlan) => void },
): Promise<CheckedFilm> {
  const film = await renderOutput(planned, first)
  onRendered?.(film.plan)
  const checks = await lookAt(planned, film)
  const fault = checks.find(({ result }) => result === 'failed')
  if (!fault) return { ...film, checks }
  const { context } = planned
  context.log('warn', 'A result failed a check and is rendered again', {
    check: fault.name,
    fault: fault.message,
  })
  const safer = saferPlan(planned, fault)
  const again = await renderOutput(safer)
  const checksOfAgain = await lookAt(safer, again)
  const lasting = checksOfAgain.find(({ name, result }) => result === 'failed' && certain.has(name))
  if (lasting) {
    throw new JobError('check_failed', `${lasting.name}: ${lasting.message}`.slice(0, 500))
  }
  context.log('info', 'A result was rendered again', { worst: worstOf(checksOfAgain) })
  return { ...again, checks: checksOfAgain.map(asDoubt) }
}

/** What these find is a fact of the file. What the others find twice may come from an odd source. */
const certain: ReadonlySet<Check['name']> = new Set([
  ...(['length', 'decoding', 'seams', 'colors', 'playback'] as const),
])

function asDoubt(found: Check): Check {
  return found.result === 'failed' ? { ...found, result: 'warned' } : found
}

/** Checks that cannot be made say nothing about the film. */
async function lookAt(planned: Planned, film: Rendered): Promise<readonly Check[]> {
  try {
    return await checkFilm(planned, film)
  } catch (error) {
    planned.context.tools.signal.throwIfAborted()
    planned.context.log('error', 'A result could not be checked', { fault: stackOf(error) })
    return []
  }
}

function saferPlan(planned: Planned, { name }: Check): Planned {
  const why = `the check of its ${name} failed`
  const { context } = planned
  const settings = { ...context.settings, FFMPEG_THREADS: 1 }
  const tools = { ...context.tools, threads: 1 }
  const safer = { ...planned, context: { ...context, settings, tools, undivided: why } }
  return { ...safer, plan: planWith(safer, { copying: { forbidden: why, hasFailed: true } }) }
}
