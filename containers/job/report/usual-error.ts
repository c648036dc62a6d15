import type { Pace, Paces, WorkDone } from '../../../worker/contract/job/paces.ts'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import type { Estimate } from './estimate.ts'
import { Past, type Measure } from './past.ts'
import type { Ahead } from './steps.ts'
import { wholeWork } from './work-ahead.ts'
import { followingResults } from '../../render/output-options.ts'

/** By how much a forecast is corrected, besides the paces of the works. */
type UsualError = {
  readonly factor: number
  /** The standard deviation of its logarithm. */
  readonly spread: number
  /** From 0 to 1: how much more this counts than the paces of the works. */
  readonly weight: number
}

/** Before the rendering is planned, the request and the footage tell less about it than its plan does. */
type Stage = 'early' | 'planned'

type JudgedBy = { readonly taken: Measure; readonly stage: Stage }

const prefixes: Readonly<Record<Measure, Readonly<Record<Stage, string>>>> = {
  time: { early: 'early time', planned: 'error' },
  processor: { early: 'early processor', planned: 'processor' },
}

const longestName = 60

/** The name under which past jobs of this kind are recorded. */
function nameOf(likeness: string, { taken, stage }: JudgedBy): string {
  return `${prefixes[taken][stage]} ${likeness}`.slice(0, longestName)
}

/** The properties that jobs share which take about as long. */
export function likenessOf(options: ProcessingOptions): string {
  const wide = wholeWork(options).kind.replace(/^whole /, '')
  const { outputs = [], elements = [], speed = 1 } = options
  const asked = {
    joined: options.combine,
    shape: options.aspectRatio !== undefined,
    steady: options.stabilize,
    faces: options.blurFaces,
    follow: followingResults(options).length > 0,
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
  return `${wide}: ${own.join(' ') || 'plain'}`
}

/** The paces of works never tell more exactly than this how long a whole job takes, least of all before it is planned. */
const leastSpread: Readonly<Record<Stage, number>> = { early: 0.8, planned: 0.3 }
const mostFactor = 6

/** `ms`: how long the job takes by the paces of the works. `usualMs`: how long they take if nothing was measured. */
type TimedStep = { readonly ms: number; readonly usualMs: number; readonly spread: number }

/**
 * How much the last jobs with the same options differed from the usual time of their works. This shows what no work counts,
 * such as an encode that this kind of request usually runs twice. Jobs of other kinds say no more than the paces do.
 */
function usualError(known: Pace, told: TimedStep): UsualError {
  const own = told.spread
  const share = own ** 2 / (own ** 2 + known.spread ** 2)
  const log = share * Math.log((told.usualMs * known.ms) / told.ms)
  const spread = Math.min(known.spread, own)
  const most = Math.log(mostFactor)
  const weight = 1 - (spread / own) ** 2
  return { factor: Math.exp(Math.min(most, Math.max(-most, log))), spread, weight }
}

export const noError: UsualError = { factor: 1, spread: 0, weight: 0 }

/** `unplanned`: the work ahead before the rendering was planned; undefined until it is planned. */
export type Forecast = {
  readonly likeness: string | undefined
  readonly paces: Paces
  readonly ahead: Ahead
  readonly unplanned: Ahead | undefined
  /** The whole job once its files are here, judged by these paces, and by how much longer such jobs have taken. */
  readonly told: (taken: Measure, ahead: Ahead, paces: Paces, factor?: number) => Estimate
}

/** The work that takes processor time: transcribing beside the phases takes as much of it as in a phase. */
function oneAfterAnother({ hearing, ...ahead }: Ahead): Ahead {
  return hearing ? { ...ahead, transcribing: hearing } : ahead
}

function countedFor(taken: Measure, ahead: Ahead): Ahead {
  return taken === 'processor' ? oneAfterAnother(ahead) : ahead
}

const usuallyBusy: Pace = { ms: 1, spread: 0.3 }
const certain: Pace = { ms: 1, spread: 0 }

/** `busy`: how much of the usual processor time jobs have taken, if that is judged. */
export function judgePast(forecast: Forecast, taken: Measure, busy = certain): UsualError {
  const { likeness, paces, ahead, unplanned, told } = forecast
  if (!likeness || !ahead.measuring) return noError
  const counted = countedFor(taken, ahead)
  const { ms, spread } = told(taken, counted, paces)
  const { ms: usualMs } = told(taken, counted, {})
  if (ms === 0 || usualMs === 0) return noError
  const stage = unplanned ? 'planned' : 'early'
  const past = paces[nameOf(likeness, { taken, stage })]
  if (!past) return noError
  const own = Math.max(leastSpread[stage], Math.hypot(spread, busy.spread))
  return usualError(past, { ms: ms * busy.ms, usualMs, spread: own })
}

/** How much a job differed from the usual time of its works: of those that were planned, and those expected before. */
export function errorsOf(forecast: Forecast, took: Readonly<Record<Measure, number>>): WorkDone[] {
  const { likeness, ahead, unplanned, told } = forecast
  const stages = { early: unplanned ?? ahead, planned: unplanned && ahead }
  return (['early', 'planned'] as const).flatMap((stage) => {
    const expected = stages[stage]
    if (!likeness || !expected?.measuring || expected.measuring.isMixed) return []
    return (['time', 'processor'] as const).flatMap((taken) => {
      const { ms: units } = told(taken, countedFor(taken, expected), {})
      const ms = took[taken]
      if (units === 0 || ms === 0) return []
      return [{ kind: nameOf(likeness, { taken, stage }), units, ms }]
    })
  })
}

/** The processor time of the whole job, with as much spread as forecasts of such jobs have had. */
export function processorOf(forecast: Forecast): Estimate {
  const { paces, ahead, told } = forecast
  const busy = busyPace(forecast)
  const { factor, ...usual } = judgePast(forecast, 'processor', busy)
  const { ms, spread } = told('processor', oneAfterAnother(ahead), paces, factor)
  const { weight } = usual
  const variance = weight * usual.spread ** 2 + (1 - weight) * (spread ** 2 + busy.spread ** 2)
  return { ms: ms * busy.ms, spread: Math.sqrt(variance) }
}

/** The processor time of one run of the rendering, without the start and the end of its program, judged by its pace alone. */
export function encodingOf(forecast: Forecast): Estimate {
  const { paces, ahead } = forecast
  const { ms, spread } = new Past(paces, 'processor').of(ahead.rendering)
  return { ms: ms * busyPace(forecast).ms, spread }
}

function busyPace({ paces, ahead }: Forecast): Pace {
  return paces[ahead.busy ?? 'processor'] ?? usuallyBusy
}
