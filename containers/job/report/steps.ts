import type { Phase } from '../../../worker/contract/video/video-state.ts'
import type { Work } from './work-kinds.ts'

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
type Ends = readonly [begin: number, end: number]

const barEnds: Record<Step, Ends> = {
  fetching: [20, 40],
  measuring: [50, 60],
  transcribing: [60, 97],
  looking: [60, 90],
  rendering: [60, 99],
  checking: [98, 99],
  uploading: [98, 99],
}

/** A sound of two minutes or more is heard in windows, which tell how far it is. */
const long: { readonly units: number; readonly ends: Ends } = { units: 150, ends: [15, 97] }

/** The bar goes no further while these phases last, whatever the forecast says: from their beginning to their end. */
export function endsOfBar(step: Step | 'hearing', ahead: Ahead): Ends {
  if (step !== 'transcribing' && step !== 'hearing') return barEnds[step]
  return (ahead[step]?.units ?? 0) > long.units ? long.ends : barEnds.transcribing
}

/** Programs that say nothing before they have started, nor when they come to their end. */
export function runsPrograms(phase: Step): boolean {
  return phase === 'looking' || phase === 'rendering'
}

export function isStep(name: string): name is Step {
  return steps.some((step) => step === name)
}
