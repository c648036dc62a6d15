import type { Phase } from '../../../worker/contract/video/video-state.ts'
import type { Work } from './work-ahead.ts'

/** A phase of the job; a rendering may begin with a quick look at all pictures, and ends with the checks of the film. */
export type Step = Phase | 'looking' | 'checking'

/**
 * What is ahead in each step, and beside the phases; undefined: it takes no time worth naming. `runs`: of a rendering that
 * may come out too large, how often such ones were done.
 */
export type Ahead = {
  readonly [Name in Step | 'hearing' | 'analysing' | 'runs']?: Work | undefined
}

export const steps: readonly Step[] = [
  'fetching',
  'measuring',
  'transcribing',
  'looking',
  'rendering',
  'checking',
  'uploading',
]
/** The bar goes no further while these phases last, whatever the forecast says: from their beginning to their end. */
export const barEnds: Record<Step, readonly [begin: number, end: number]> = {
  fetching: [20, 40],
  measuring: [50, 60],
  transcribing: [94, 94],
  looking: [60, 90],
  rendering: [60, 99],
  checking: [98, 99],
  uploading: [98, 99],
}

/** Programs that say nothing before they have started, nor when they come to their end. */
export function runsPrograms(phase: Step): boolean {
  return phase === 'looking' || phase === 'rendering'
}

export function isPhase(name: string): name is Phase {
  return steps.some((phase) => phase === name)
}
