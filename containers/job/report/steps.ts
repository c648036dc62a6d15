import type { Phase } from '../../../worker/contract/video/video-state.ts'
import type { Work } from './work-kinds.ts'

/** A phase of the job. A rendering may begin with a quick look at all pictures, and ends with the checks of the film. */
export type JobStep = Phase | 'looking' | 'checking'

/**
 * The work ahead in each step, and beside the phases; undefined: it takes no time worth counting. `runs`: for a rendering that
 * may turn out too large, how often such renderings were repeated.
 */
export type Ahead = {
  readonly [Name in JobStep | 'hearing' | 'analysing' | 'runs']?: Work | undefined
} & { readonly busy?: Busy }

/**
 * The names under which it is recorded how much of the usual processor time jobs have taken: large pictures keep more cores busy
 * than small ones.
 */
export type Busy = 'processor' | 'processor large'

/** Pictures up to this many pixels are small. */
const mostSmall = 500_000

export function busyWith({ width, height }: { width: number; height: number }): Busy {
  return width * height > mostSmall ? 'processor large' : 'processor'
}

export const steps: readonly JobStep[] = [
  'fetching',
  'measuring',
  'transcribing',
  'looking',
  'rendering',
  'checking',
  'uploading',
]
type Ends = readonly [begin: number, end: number]

const barEnds: Record<JobStep, Ends> = {
  fetching: [20, 40],
  measuring: [50, 60],
  transcribing: [60, 97],
  looking: [60, 90],
  rendering: [60, 99],
  checking: [98, 99],
  uploading: [98, 99],
}

/** A sound of two minutes or more is transcribed in windows, which report their progress. */
const long: { readonly units: number; readonly ends: Ends } = { units: 150, ends: [15, 97] }

/** Between which percentages the bar stays while these phases last, whatever the forecast says. */
export function endsOfBar(step: JobStep | 'hearing', ahead: Ahead): Ends {
  if (step !== 'transcribing' && step !== 'hearing') return barEnds[step]
  return (ahead[step]?.units ?? 0) > long.units ? long.ends : barEnds.transcribing
}

/** Whether programs do the work, which report nothing while they start and end. */
export function runsPrograms(phase: JobStep): boolean {
  return phase === 'looking' || phase === 'rendering'
}

export function isStep(name: string): name is JobStep {
  return steps.some((step) => step === name)
}
