import { tryForPlan } from '../../try-for-plan.ts'
import type { JobContext } from '../../job-context.ts'
import { shakeWork } from '../../report/measuring-work.ts'
import { paceOf } from '../../report/work-kinds.ts'
import type { Clips } from '../../../timeline/clip.ts'
import { measureShakes, type ShakeRequest } from './measure-shake.ts'

/**
 * Whether it is measured how the camera shook: for a plan only if that is quick, and if no faces are covered first, which a plan does
 * not look for.
 */
export function maySteady(
  { job: { options, paces = {} }, mayListenMs, isPartial }: JobContext,
  { facts: { video } }: Clips[0],
  seconds: number,
): boolean {
  if (mayListenMs === undefined) return true
  if (isPartial || options.blurFaces) return false
  const { kind, units } = shakeWork(seconds, video)
  return paceOf(kind, paces).ms * units <= mayListenMs
}

/** Undefined if a plan could not wait for it. */
export async function steadyClips(
  context: JobContext,
  request: ShakeRequest,
): Promise<Clips | undefined> {
  if (context.mayListenMs === undefined) return measureShakes(context.tools, request)
  return tryForPlan(context, 'How the camera shook', async ({ tools }) =>
    measureShakes(tools, request),
  )
}
