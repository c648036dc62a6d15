import { goodShare, growthOf, type TriedQuality } from '../../render/output/byte-budget.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import type { Remux, RenderPlan } from '../../render/plan-render.ts'
import { followedBy, madeBy, triesAfter, type Course, type OpenedFilm } from './render-try.ts'
import { isDivided } from './render-in-parts.ts'
import type { Rendered } from './run-plan.ts'
import { aimAtBytes } from './aim-at-bytes.ts'

/** Why a copy differs from its source. */
type NotTrue = { readonly why: string }

/**
 * Renders a film as it was planned. If only its size was to change and the result is larger than its source, it becomes a copy,
 * or is encoded so that it fits; if nothing fits, the smallest is taken, with a warning.
 */
export function* asPlanned(film: OpenedFilm): Course<Rendered | NotTrue> {
  const { plan } = film
  const { remux, mostBytes = Number.POSITIVE_INFINITY } = plan
  const isNoted = plan.video === 'encode' && isSharedOut(plan) && !isDivided(film.choice)
  const tried = film.first ?? (yield* firstOf(film, isNoted))
  if ('why' in tried) return tried
  const { result } = tried
  const { sizeBytes } = result.facts
  if (sizeBytes <= (remux?.leastBytes ?? mostBytes)) return result
  const copied = remux && (yield copyOf(plan, remux))
  const copy = copied && 'result' in copied ? copied.result : undefined
  const least = copy && copy.facts.sizeBytes <= sizeBytes ? copy : result
  // Even a copy may be larger than its source, because of its index.
  if (least.facts.sizeBytes <= mostBytes) return least
  const isSameFormat = result.plan.sources[0]?.format === result.plan.format
  const within =
    (isNoted ? yield* bySharing(film, mostBytes) : undefined) ??
    (yield* byQuality(film, { mostBytes, askedBytes: sizeBytes })) ??
    (isSameFormat ? yield* byRate(film, mostBytes) : undefined)
  if (within) return within
  const warning = 'compressionQuality: the source is so small that the result is larger.'
  return { ...least, plan: { ...least.plan, warnings: [...result.plan.warnings, warning] } }
}

/** Whether a result that is larger than its source can be encoded into as many bytes as that has. */
export function isSharedOut({ mostBytes, format, codec, sources }: RenderPlan): boolean {
  return mostBytes !== undefined && canShareOut(codec) && sources[0]?.format === format
}

/** `isNoted`: a first run notes what is needed to share its bytes out afterwards. */
function* firstOf(
  { plan, planFor, notes }: OpenedFilm,
  isNoted: boolean,
): Course<{ readonly result: Rendered } | NotTrue> {
  if (plan.video === 'encode') {
    const noted = isNoted ? planFor({ pass: { kind: 'whole', notes } }) : plan
    const watch = triesAfter(plan, isNoted ? 1 : likelyTries)
    return yield* madeBy({ plan: noted, how: 'encode', watch })
  }
  const outcome = yield { plan, how: 'copy' }
  if ('result' in outcome || 'why' in outcome) return outcome
  throw new Error('A copy came to no end')
}

function copyOf(plan: RenderPlan, { audio, tracks }: Remux) {
  // Without this, its progress would look like that of an encode.
  const copied = {
    ...plan,
    video: 'copy',
    audio,
    tracks,
    row: undefined,
    cutting: undefined,
    whyEncoded: undefined,
  } as const
  return { plan: copied, how: 'copy', stem: 'remux', shares: 'untold' } as const
}

/** Each step of quality below 100 takes this share off the source's bytes, so that a lower one is never larger. */
const lessPerQuality = 0.001

function* bySharing(
  { planFor, asked, notes }: OpenedFilm,
  mostBytes: number,
): Course<Rendered | undefined> {
  const less = (100 - asked) * lessPerQuality
  const pass = { kind: 'second', notes } as const
  return yield* aimAtBytes({
    // A result that is accepted may exceed this a little, but not the source.
    mayTake: (mostBytes * (1 - less)) / goodShare.most,
    bytesOf: ({ result }) => result.facts.sizeBytes,
    attemptAt: (fitBytes) => ({ plan: planFor({ fitBytes, pass }), how: 'whole', stem: 'fit' }),
  })
}

const qualityTries = 5
/** How many tries usually suffice. */
const likelyTries = 2
/** A result that takes this share of its limit is not encoded again. */
const nearShare = 0.97
/** Until one result fits, tries aim a little below the limit. */
const aimedShare = 0.985

type Fit = {
  readonly mostBytes: number
  /** The size of the result at the requested quality, which is too much. */
  readonly askedBytes: number
}

/**
 * Finds the highest quality below the requested one whose result fits, or one that takes nearly as many bytes; undefined if not
 * even the lowest does. It takes the highest so that a lower requested quality never gives a clearly larger file. Every try is
 * a whole encode, but sizes grow by about the same share from one quality to the next, so a few tries are enough.
 */
export function* byQuality(
  { planFor, asked }: Pick<OpenedFilm, 'planFor' | 'asked'>,
  { mostBytes, askedBytes }: Fit,
): Course<Rendered | undefined> {
  let fits: (TriedQuality & { readonly result: Rendered }) | undefined
  const tooLarge: TriedQuality[] = [{ quality: asked, share: askedBytes / mostBytes }]
  for (let left = qualityTries - 1; left >= 0; left--) {
    const quality = nextBelow(tooLarge, fits, left === 0)
    if (quality === undefined) break
    const [plan, stem] = [planFor({ quality }), `quality${quality}`]
    const watch = followedBy(Math.min(left, likelyTries - 1))
    const { result } = yield* madeBy({ plan, how: 'encode', stem, watch })
    const tried = { quality, share: result.facts.sizeBytes / mostBytes }
    if (tried.share <= 1) fits = { ...tried, result }
    else tooLarge.push(tried)
  }
  return fits?.result
}

/** The quality to try next; undefined if none is left, or the one that fits is good enough. */
function nextBelow(
  tooLarge: readonly TriedQuality[],
  fits: TriedQuality | undefined,
  isLast: boolean,
): number | undefined {
  const [first, last] = [tooLarge[0], tooLarge.at(-1)]
  if (!first || !last || (fits && fits.share >= nearShare)) return undefined
  const [least, most] = [fits ? fits.quality + 1 : 1, last.quality - 1]
  if (most < least) return undefined
  if (!fits && isLast) return least
  const step =
    Math.log(last.share / (fits ? 1 : aimedShare)) / Math.log(growthOf(fits ?? first, last))
  return Math.min(most, Math.max(least, Math.floor(last.quality - step)))
}

const rateTries = 3
/** How likely it is that a try that is not the last is followed by another. */
const likelyAgain = 0.7
/** Encoders come close to a given rate, and may exceed it. */
const fitShare = 0.95

/** The last resort if only the size was to change and the codec of the source needs far fewer bytes. */
function* byRate({ planFor }: OpenedFilm, mostBytes: number): Course<Rendered | undefined> {
  let fitBytes = mostBytes * fitShare
  let before = ''
  for (let i = 0; i < rateTries; i++) {
    const plan = planFor({ fitBytes })
    // Below the lowest rate of the encoder, fewer bytes give the same result.
    const coding = JSON.stringify(plan.tracks.map((track) => track.coding))
    if (coding === before) return undefined
    before = coding
    const watch = followedBy(i + 1 < rateTries ? likelyAgain : 0)
    const { result } = yield* madeBy({ plan, how: 'encode', stem: `fit${i}`, watch })
    const { sizeBytes } = result.facts
    if (sizeBytes <= mostBytes) return result
    fitBytes *= (fitShare * mostBytes) / sizeBytes
  }
  return undefined
}
