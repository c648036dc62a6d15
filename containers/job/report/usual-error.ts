import type { Paces } from '../../../worker/contract/job/paces.ts'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { wholeWork } from './work-ahead.ts'

/** What to reckon with beside the paces of the works. */
export type UsualError = {
  readonly factor: number
  /** The standard deviation of its logarithm. */
  readonly spread: number
  /** From 0 to 1: how much more it tells than the paces of the works. */
  readonly weight: number
}

const longestName = 60

/**
 * Under which names it is noted how long a job has taken beside what its works usually take. What no work counts shows here, such
 * as an encode that this kind of request has most often done twice. More jobs share the first name than the second.
 */
export function errorKinds(options: ProcessingOptions): readonly string[] {
  const shared = wholeWork(options).kind.replace(/^whole/, 'error')
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
  return [shared, `${shared}: ${own.join(' ') || 'plain'}`.slice(0, longestName)]
}

/** The paces of works tell no more exactly than this how long a whole job takes. */
const leastSpread = 0.4
const mostFactor = 4

/** `ms` is what the paces of the works tell of the job, and `usualMs` what these take where nothing was measured. */
type Told = { readonly ms: number; readonly usualMs: number; readonly spread: number }

/** What the last jobs of these kinds tell, the last kind most. */
export function usualError(kinds: readonly string[], paces: Paces, told: Told): UsualError {
  const own = Math.max(leastSpread, told.spread)
  let [log, spread] = [0, own]
  for (const kind of kinds) {
    const known = paces[kind]
    if (!known) continue
    const weight = spread ** 2 / (spread ** 2 + known.spread ** 2)
    log += weight * (Math.log((told.usualMs * known.ms) / told.ms) - log)
    spread = Math.min(known.spread, spread)
  }
  const most = Math.log(mostFactor)
  const weight = 1 - (spread / own) ** 2
  return { factor: Math.exp(Math.min(most, Math.max(-most, log))), spread, weight }
}

export const noError: UsualError = { factor: 1, spread: 0, weight: 0 }
