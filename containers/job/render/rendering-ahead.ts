import type { RenderPlan } from '../../render/plan-render.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { Ahead } from '../report/steps.ts'
import { checksOf, renderingWork } from '../report/work-ahead.ts'
import { lookingWork, runsWork } from '../report/work-kinds.ts'
import { isLookedAt } from './in-budget.ts'

/** The work of a planned rendering. `looks`: whether a quick look at all pictures comes before the encode. */
export function renderingAhead(
  { context, clips }: Pick<Planned, 'context' | 'clips'>,
  plan: RenderPlan,
  looks = plan.budget !== undefined && isLookedAt(plan),
): Ahead {
  const rendering = renderingWork(plan, clips, context.job.options.compressionQuality)
  return {
    rendering,
    ...(looks && { looking: lookingWork(rendering) }),
    ...(plan.budget && { runs: runsWork(rendering, looks) }),
    checking: checksOf(plan, clips),
  }
}
