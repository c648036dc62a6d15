import { JobError } from '../../errors/job-error.ts'
import type { Pass } from '../../render/output/passes.ts'
import { hasPasses } from '../../render/output/picture-codecs.ts'
import { followedBy, type Course, type OpenedFilm } from './render-try.ts'
import type { Rendered } from './run-plan.ts'

/** A result that takes this share of its bytes uses them well enough. */
export const usedShare = 0.93
export const aimedShare = 0.97
const byteTries = 6
/** If the result changes by less, it does not follow the rate that it is given. */
const sameShare = 0.01
/** Why nothing is copied in that case. */
export const largerCopy = { forbidden: 'maxBytes is less than a copy would have' } as const

/** The limit of bytes, and whether a rate is limited too. */
type Bytes = { readonly maxBytes: number; readonly hasRate: boolean }
type BytesFilm = Pick<OpenedFilm, 'plan' | 'planFor' | 'notes'>

/** Encodes into a number of bytes, with the notes of a first run over the pictures if the encoder uses them. */
export function* inBytes(film: BytesFilm, { maxBytes, hasRate }: Bytes): Course {
  if (hasPasses(film.plan.codec) && !hasRate) {
    const [look, second] = (['look', 'second'] as const).map((kind) => ({
      kind,
      notes: film.notes,
    }))
    const plan = film.planFor({ copying: largerCopy, fitBytes: maxBytes, pass: look })
    yield { plan, how: 'notes', stem: 'look' }
    const fitting = yield* inTries(film, maxBytes, second)
    // x264 refuses a second run into too few bytes; without notes it makes them as few as it can.
    if (fitting) return fitting
  }
  const fitting = yield* inTries(film, maxBytes)
  if (!fitting) throw new Error('An encode failed that was not to be refused')
  return fitting
}

/** Encodes repeatedly, each time corrected by how much the last try missed its bytes; undefined if the encoder refuses. */
function* inTries(
  { planFor }: BytesFilm,
  maxBytes: number,
  pass?: Pass,
): Course<Rendered | undefined> {
  let aimed = maxBytes * aimedShare
  let before = 0
  let best: Rendered | undefined
  let dropped: Rendered | undefined
  for (let i = 0; i < byteTries; i++) {
    // A film with a limited number of bytes is not divided into parts.
    const parts = { whole: 'its size is given' }
    const plan = { ...planFor({ copying: largerCopy, fitBytes: aimed, pass }), parts }
    const watch = followedBy(i === 0 ? likelyAgain : 0)
    const outcome = yield {
      plan,
      how: 'whole',
      stem: `bytes${i}`,
      watch,
      dropped,
      mayBeRefused: pass !== undefined,
    }
    if (!('result' in outcome)) return undefined
    const made = outcome.result
    const { sizeBytes } = made.facts
    const isBetter = sizeBytes <= maxBytes && sizeBytes > (best?.facts.sizeBytes ?? 0)
    dropped = isBetter ? best : made
    if (isBetter) best = made
    if (best && best.facts.sizeBytes >= maxBytes * usedShare) return best
    const isStuck = Math.abs(sizeBytes / Math.max(1, before) - 1) < sameShare
    before = sizeBytes
    if (isStuck) break
    aimed *= (aimedShare * maxBytes) / sizeBytes
  }
  if (best) return best
  throw tooFew('maxBytes', before, 'bytes')
}

/** How likely it is that the first try is followed by another. */
const likelyAgain = 0.4

/**
 * How long that usually takes, if an encode takes 1. Seven films in H.264, HEVC, VP9 and AV1 took two tries in the middle, and
 * four of them half as long for the notes before.
 */
export const timesInBytes = 2.2

export function tooFew(option: string, least: number, unit: string): JobError {
  return new JobError(
    'output_too_large',
    `${option}: the result cannot be made that small; it has at least ${Math.ceil(least)} ${unit}. A smaller width, a lower fps or a shorter video needs fewer.`,
  )
}
