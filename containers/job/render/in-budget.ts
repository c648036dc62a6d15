import {
  goodShare,
  growthOf,
  leastQualities,
  nextQuality,
  type TriedQuality,
} from '../../render/output/byte-budget.ts'
import type { Pass } from '../../render/output/passes.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import { lookShare, mostLookedAtSeconds, unknownAgain } from '../report/work-ahead.ts'
import {
  encodedBy,
  lookedBy,
  type RenderTry,
  type Course,
  type OpenedFilm,
  type MadeFilm,
  type Watch,
} from './render-try.ts'
import { isDivided } from './render-in-parts.ts'
import { type Rendered, type Written } from './run-plan.ts'
import { aimAtBytes } from './aim-at-bytes.ts'
import { totalLength } from '../../numbers/spans.ts'

/** A result is judged once this much of it is written. */
const judgedFromSeconds = 1
/** However much is written, the rest may still turn out differently. */
const leastDoubt = 0.02
/** A result that is this far is finished and measured as a whole. */
const judgedUpTo = 0.6
const mostTries = 5
/** How often a film is usually encoded whose bytes cannot be shared out: half of them are tried again. */
export const timesTried = 1.75
/** A film in parts this far below its limit looks nearly as good, and is not encoded again. */
const enoughShare = 0.8
/** Samples miss the size of the whole film by up to an eighth, and a film that is too large has to be encoded again as a whole. */
const sampledAim = (enoughShare + goodShare.most) / 2
/** A quick look has fewer means than an encode: it finds a few hundredths more bytes, seldom a quarter more. */
export const tooMuchSeen = 1.06

/** A film whose result must not be larger than its sources. */
export type BudgetedFilm = OpenedFilm & {
  /** The bytes that its pictures may take up to a moment. */
  readonly upTo: (seconds?: number) => number
}

/** Whether a quick look at all pictures comes before the encode. */
export function isLookedAt(
  { codec, durationSeconds }: Pick<RenderPlan, 'codec' | 'durationSeconds'>,
  isInParts = false,
): boolean {
  return canShareOut(codec) && !isInParts && durationSeconds <= mostLookedAtSeconds
}

/**
 * Encodes at the requested quality. As soon as it shows that the result would be larger than its sources, an encode of lower
 * quality takes its place: only what was written until then is lost. A short film cannot be judged by its beginning: x264 looks
 * at the whole of it first, and shares out its bytes if that finds too many. So does a finished encode that turns out too large
 * or too small.
 */
export function* inBudget(film: BudgetedFilm): Course {
  const { plan, asked, first, choice, upTo } = film
  // A film in parts has no notes about the whole, by which its bytes could be shared out.
  const isNoted = canShareOut(plan.codec) && !isDivided(choice)
  const looks = !first && isLookedAt(plan, isDivided(choice))
  const shares = looks ? ([lookShare, 1] as const) : undefined
  if (first?.isShared) {
    return yield* sharedOrLowest(film, { made: first, shares })
  }
  if (looks) {
    const pass = { kind: 'look', notes: film.notes } as const
    const seen = film.planFor({ pictureQuality: asked, pass })
    const look = { plan: seen, how: 'look', shares: [0, lookShare] } as const
    const pictureBytes = yield* lookedBy(look)
    if (pictureBytes > upTo() * tooMuchSeen) {
      return yield* sharedOrLowest(film, { shares })
    }
  }
  return yield* byQuality(film, { isNoted, shares })
}

type BudgetShares = Pick<RenderTry, 'shares'> & { readonly made?: MadeFilm }

/** Shares the bytes out. A source that was coded worse than a picture may look here is encoded about as badly. */
function* sharedOrLowest(film: BudgetedFilm, sharing: BudgetShares): Course {
  const shared = yield* sharedOut(film, sharing)
  const { shares } = sharing
  return shared ?? (yield* byQuality(film, { isNoted: false, shares, from: lowestOf(film) }))
}

function lowestOf({ asked, plan }: BudgetedFilm): number {
  return Math.min(asked, leastQualities[plan.codec])
}

function* sharedOut(
  { planFor, notes, upTo }: BudgetedFilm,
  { made, shares }: BudgetShares,
): Course<Rendered | undefined> {
  const pass = { kind: 'second', notes } as const
  return yield* aimAtBytes({
    ...{ mayTake: upTo(), made },
    bytesOf: ({ pictureBytes }) => pictureBytes,
    attemptAt: (pictureBytes) => ({ plan: planFor({ pictureBytes, pass }), how: 'encode', shares }),
  })
}

type Searching = Pick<RenderTry, 'shares'> & { readonly isNoted: boolean; readonly from?: number }

/** Tries one quality after another until the size is good. */
function* byQuality(film: BudgetedFilm, { isNoted, shares, from }: Searching): Course {
  const { plan, planFor, asked, notes, choice, first, upTo } = film
  const { codec, durationSeconds } = plan
  const isInParts = isDivided(choice)
  const begin = from === undefined ? yield* sampledBegin(film) : { quality: from }
  const search = { asked, codec, grows: begin.grows, ...(isInParts && { aim: sampledAim }) }
  const tried: TriedQuality[] = []
  let pass: Pass | undefined = isNoted ? { kind: 'whole', notes } : undefined
  let { quality, share: unseen } = begin
  for (;;) {
    const isLast = tried.length + 1 >= mostTries
    const judge = (share: number) => nextQuality([...tried, { quality, share }], search)
    const isGood = (share: number) => judge(share) === undefined
    const watched = { upTo, durationSeconds, unseen, isGood }
    const watch = isLast || isGood(9) ? undefined : watchOf(watched)
    const last = tried.at(-1)
    const because = last && { share: last.share, quality }
    const again = { plan: planFor({ pictureQuality: quality, pass }), watch, shares, because }
    const isMade = first && !first.isShared && !last
    const encoded = isMade ? first : yield* encodedBy({ ...again, how: 'encode' })
    const { pictureBytes, mayTake } =
      'stoppedAt' in encoded ? encoded.stoppedAt : { ...encoded, mayTake: upTo() }
    const share = pictureBytes / Math.max(1, mayTake)
    tried.push({ quality, share, isStopped: 'stoppedAt' in encoded })
    const isEnough = isInParts && share >= enoughShare && share <= goodShare.most
    const next = isLast || isEnough ? undefined : nextQuality(tried, search)
    if ('result' in encoded && next === undefined) return encoded.result
    if ('result' in encoded && pass) {
      const shared = yield* sharedOut(film, { shares })
      if (shared) return shared
      pass = undefined
      quality = lowestOf(film)
    } else quality = next ?? quality
    unseen &&= sampledAim
  }
}

const mostSamples = 2

/** The quality to begin with, the share of its bytes that the film then takes, and how much that grows with the quality. */
type FirstQuality = Pick<TriedQuality, 'quality'> & {
  readonly share?: number | undefined
  readonly grows?: number | undefined
}

/** Begins with the requested quality, unless samples of a film in parts show that it takes too much. */
function* sampledBegin({ plan, planFor, asked, choice, upTo }: BudgetedFilm): Course<FirstQuality> {
  if (!isDivided(choice)) return { quality: asked }
  const tried: TriedQuality[] = []
  let quality = asked
  while (tried.length < mostSamples) {
    const outcome = yield { plan: planFor({ pictureQuality: quality }), how: 'sample' }
    if (!('sampled' in outcome)) return { quality }
    const { pictureBytes, stretches } = outcome.sampled
    const share = pictureBytes / Math.max(1, allowedIn(stretches, upTo))
    tried.push({ quality, share })
    const next = nextQuality(tried, { asked, codec: plan.codec, aim: sampledAim })
    if (next === undefined) return { quality, share, grows: growthIn(tried) }
    quality = next
  }
  return { quality, share: sampledAim, grows: growthIn(tried) }
}

function growthIn([one, other]: readonly TriedQuality[]): number | undefined {
  return one && other && growthOf(one, other)
}

/** The bytes that these stretches may take. */
function allowedIn(stretches: Written['stretches'], upTo: (seconds: number) => number): number {
  return stretches.reduce((sum, { from, to }) => sum + upTo(to) - upTo(from), 0)
}

function watchOf({
  upTo,
  durationSeconds,
  unseen,
  isGood,
}: {
  durationSeconds: number
  upTo: (seconds?: number) => number
  /** The share that samples promise for what is not written yet; without samples, what is written stands for the rest. */
  unseen: number | undefined
  isGood: (share: number) => boolean
}): Watch {
  return ({ pictureBytes: written, stretches }) => {
    const seconds = totalLength(stretches)
    const unknown = { stoppedAt: undefined, again: unknownAgain }
    if (seconds < judgedFromSeconds) return unknown
    const allowed = allowedIn(stretches, upTo)
    const mayTake = unseen === undefined ? allowed : upTo()
    const pictureBytes = written + (unseen ?? 0) * Math.max(0, mayTake - allowed)
    // The shorter a stretch, the less it proves: each begins with a key picture, which takes more than its share.
    const doubt = 3 / (1 + seconds / stretches.length) ** 1.2
    const isTooMuch = pictureBytes > mayTake * (goodShare.most + doubt)
    const mayStop = seconds <= durationSeconds * judgedUpTo
    if (isTooMuch && mayStop) return { stoppedAt: { pictureBytes, mayTake }, again: 1 }
    const share = pictureBytes / Math.max(1, mayTake)
    if (isGood(share)) return { stoppedAt: undefined, again: Math.min(unknownAgain, doubt) }
    if (doubt > 0.2) return unknown
    const far = Math.max(share - goodShare.most, goodShare.least - share)
    const likely = Math.min(1, 0.5 + far / (2 * Math.max(doubt, leastDoubt)))
    // An encode that is stopped soon saves the rest of its own run.
    const leftOut = share > goodShare.most && mayStop ? 0.9 - seconds / durationSeconds : 0
    return { stoppedAt: undefined, again: likely * (1 - leftOut) }
  }
}
