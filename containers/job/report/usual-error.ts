import type { Pace, Paces, WorkDone } from '../../../worker/contract/job/paces.ts'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { medianOf } from '../../numbers/mean.ts'
import type { Estimate } from './estimate.ts'
import type { Ahead } from './steps.ts'
import { wholeWork } from './work-ahead.ts'

/** What to reckon with beside the paces of the works. */
export type UsualError = {
  readonly factor: number
  /** The standard deviation of its logarithm. */
  readonly spread: number
  /** From 0 to 1: how much more it tells than the paces of the works. */
  readonly weight: number
}

/** Of a job, the time and the processor time are noted. */
type Taken = 'time' | 'processor'
/** Before the rendering is planned, the request and the footage tell less of it than its plan does. */
type Stage = 'early' | 'planned'

const prefixes: Readonly<Record<Taken, Readonly<Record<Stage, string>>>> = {
  time: { early: 'early time', planned: 'error' },
  processor: { early: 'early processor', planned: 'processor' },
}

/** Of what a request is: its wide kind, and what it asks for within that. */
export type Likeness = { readonly wide: string; readonly own: string }

const longestName = 60

/** Under which name it is noted how long such jobs have taken. */
function nameOf({ wide, own }: Likeness, taken: Taken, stage: Stage): string {
  return `${prefixes[taken][stage]} ${wide}: ${own}`.slice(0, longestName)
}

/** What jobs have in common that take alike. */
export function likenessOf(options: ProcessingOptions): Likeness {
  const wide = wholeWork(options).kind.replace(/^whole /, '')
  const { resizeMode, outputs = [], elements = [], speed = 1 } = options
  const follows = [resizeMode, ...outputs.map((one) => one.resizeMode)].includes('follow')
  const asked = {
    joined: options.combine,
    steady: options.stabilize,
    faces: options.blurFaces,
    follow: follows,
    captions: options.captions !== undefined,
    noise: options.removeNoise,
    level: options.normalizeAudio,
    silence: options.removeSilence,
    bytes: outputs.some((one) => (one.maxBytes ?? one.maxBitrate) !== undefined),
    elements: elements.length > 0,
    speed: speed !== 1,
    films: outputs.length > 1,
  }
  const own = Object.entries(asked).flatMap(([name, isAsked]) => (isAsked ? [name] : []))
  return { wide, own: own.join(' ') || 'plain' }
}

/**
 * What jobs have taken beside what their works usually take, from all jobs to those that this one is most like. No work counts
 * what shows here, such as an encode that this kind of request has most often done twice.
 */
function pastErrors(likeness: Likeness, paces: Paces, { taken, stage }: Judged): readonly Pace[] {
  const begin = `${prefixes[taken][stage]} `
  const known = Object.entries(paces).filter(([kind]) => kind.startsWith(begin))
  const wide = known.filter(([kind]) => kind.startsWith(`${begin}${likeness.wide}: `))
  const own = paces[nameOf(likeness, taken, stage)]
  return [middleOf(known), middleOf(wide), own].flatMap((pace) => pace ?? [])
}

type Judged = { readonly taken: Taken; readonly stage: Stage }

/** Of several kinds the one in their middle, as sure as they are alike. */
function middleOf(known: readonly (readonly [kind: string, pace: Pace])[]): Pace | undefined {
  const sorted = known.map(([, pace]) => pace).sort((a, b) => a.ms - b.ms)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) return undefined
  const far = medianOf(sorted.map(({ ms }) => Math.abs(Math.log(ms / middle.ms))))
  const spread = Math.hypot(Math.max(leastFar, far * ofMedian), ofFew / Math.sqrt(sorted.length))
  return { ms: middle.ms, spread }
}

/** Half of all values lie within a standard deviation by this much. */
const ofMedian = 1.48
/** Kinds of jobs differ by this much, however alike the known ones are; and few of them say less about another kind. */
const leastFar = 0.25
const ofFew = 0.4

/** The paces of works tell no more exactly than this how long a whole job takes: least before it is planned. */
const leastSpread: Readonly<Record<Stage, number>> = { early: 0.8, planned: 0.4 }
const mostFactor = 6

/** `ms` is what the paces of the works tell of the job, and `usualMs` what these take where nothing was measured. */
type Told = { readonly ms: number; readonly usualMs: number; readonly spread: number }

/** What the last jobs of these kinds tell, the last kind most. */
function usualError(past: readonly Pace[], told: Told): UsualError {
  const own = told.spread
  let [log, spread] = [0, own]
  for (const known of past) {
    const weight = spread ** 2 / (spread ** 2 + known.spread ** 2)
    log += weight * (Math.log((told.usualMs * known.ms) / told.ms) - log)
    spread = Math.min(known.spread, spread)
  }
  const most = Math.log(mostFactor)
  const weight = 1 - (spread / own) ** 2
  return { factor: Math.exp(Math.min(most, Math.max(-most, log))), spread, weight }
}

export const noError: UsualError = { factor: 1, spread: 0, weight: 0 }

/** `unplanned`: what was ahead before the rendering was planned; undefined as long as it is not planned. */
export type Forecast = {
  readonly likeness: Likeness | undefined
  readonly paces: Paces
  readonly ahead: Ahead
  readonly unplanned: Ahead | undefined
  /** All of a job once its files are here, as these paces tell it. */
  readonly told: (ahead: Ahead, paces: Paces) => Estimate
}

/** What takes a processor's time: what is heard beside the phases takes as much of it as a phase. */
export function oneAfterAnother({ hearing, ...ahead }: Ahead): Ahead {
  return hearing ? { ...ahead, transcribing: hearing } : ahead
}

function countedFor(taken: Taken, ahead: Ahead): Ahead {
  return taken === 'processor' ? oneAfterAnother(ahead) : ahead
}

const certain: Pace = { ms: 1, spread: 0 }

/** `cores`: how many of them its time keeps busy, where the processor time is judged. */
export function judgePast(forecast: Forecast, taken: Taken, cores = certain): UsualError {
  const { likeness, paces, ahead, unplanned, told } = forecast
  if (!likeness || !ahead.measuring) return noError
  const counted = countedFor(taken, ahead)
  const { ms, spread } = told(counted, paces)
  const { ms: usualMs } = told(counted, {})
  if (ms === 0 || usualMs === 0) return noError
  const stage = unplanned ? 'planned' : 'early'
  const past = pastErrors(likeness, paces, { taken, stage })
  const own = Math.max(leastSpread[stage], Math.hypot(spread, cores.spread))
  return usualError(past, { ms: ms * cores.ms, usualMs, spread: own })
}

/** What a job took beside what its works usually take: those that were planned, and those that were expected before. */
export function errorsOf(forecast: Forecast, took: Readonly<Record<Taken, number>>): WorkDone[] {
  const { likeness, ahead, unplanned, told } = forecast
  const stages = { early: unplanned ?? ahead, planned: unplanned && ahead }
  return (['early', 'planned'] as const).flatMap((stage) => {
    const expected = stages[stage]
    if (!likeness || !expected?.measuring || expected.measuring.isMixed) return []
    return (['time', 'processor'] as const).flatMap((taken) => {
      const { ms: units } = told(countedFor(taken, expected), {})
      const ms = took[taken]
      if (units === 0 || ms === 0) return []
      return [{ kind: nameOf(likeness, taken, stage), units, ms }]
    })
  })
}

/** What the past tells of a job, with as much spread as forecasts of such jobs have had. */
export function corrected({ ms, spread }: Estimate, { factor, ...usual }: UsualError): Estimate {
  const { weight } = usual
  const variance = weight * usual.spread ** 2 + (1 - weight) * spread ** 2
  return { ms: ms * factor, spread: Math.sqrt(variance) }
}
