import { goodShare } from '../../render/output/byte-budget.ts'
import {
  describePlan,
  type Remux,
  type RenderPlan,
  withPictureCoding,
} from '../../render/plan-render.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import { JobError } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import { doubtOfRow, renderCut } from './render-cut.ts'
import { lookShare } from '../report/work-ahead.ts'
import { type JobContext, progressOf } from '../job-context.ts'
import { type Planned, type Variation, planWith } from '../plan/plan-job.ts'
import { divided, encodeFilm, encodeWatched, pictureBytesOf, type Choice } from './encode-film.ts'
import {
  isLookedAt,
  renderInBudget,
  type Encoded,
  type Watch,
  shareOut,
} from './render-in-budget.ts'
import { secondsIn, type Written, type Rendered, runPlan } from './run-plan.ts'
import { renderInLimits } from './render-in-limits.ts'
import { codedAs, divideFilm, type Division } from './render-in-parts.ts'
import { renderingAhead } from './rendering-ahead.ts'
import { sampleFilm } from './sample-film.ts'

/** If the ends differ by more than this, pictures are missing or late. */
const copyToleranceSeconds = 0.2
/** This many seconds must be written before they show how large the result will be. */
const judgedFromSeconds = 4

/** The first encode of a film, made beside others, and what it has written down for a second one. */
export type FirstEncode = {
  readonly result: Rendered
  readonly notes: string
  /** Whether its bytes were shared out already. */
  readonly isShared: boolean
}

export async function renderOutput(planned: Planned, first?: FirstEncode): Promise<Rendered> {
  if (!first) return renderInLimits(planned, renderFreely)
  planned.context.trace.plan(describePlan(first.result.plan))
  return renderFreely(planned, first)
}

/**
 * Renders a plan. If a copy is not true to its source, the video is encoded; if encoding only made it larger, it is
 * copied, or encoded to fit.
 */
async function renderFreely(planned: Planned, first?: FirstEncode): Promise<Rendered> {
  const { context, plan } = planned
  if (plan.budget) return renderEncoded(planned, {}, first)
  const { notes = usualNotes } = first ?? {}
  const choice = plan.video === 'encode' && !first ? await divideFilm(planned, plan) : undefined
  const isNoted = plan.video === 'encode' && isSharedOut(plan) && !divided(choice)
  const noted = isNoted ? planWith(planned, { pass: { kind: 'whole', notes } }) : plan
  const tried = first ?? (await tryPlan({ ...planned, plan: noted }, { isNoted, choice }))
  if ('why' in tried) {
    context.log('warn', 'A copy was not true; the video is encoded', { why: tried.why })
    const forbidden = `a copy was not true: ${tried.why}`
    const copying = { forbidden, hasFailed: true } as const
    return renderEncoded(planned, { copying })
  }
  const { result } = tried
  const { remux, mostBytes = Number.POSITIVE_INFINITY } = plan
  const { sizeBytes } = result.facts
  if (sizeBytes <= (remux?.leastBytes ?? mostBytes)) return result
  const copy = remux && (await renderCopy(context, plan, remux))
  const least = copy && copy.facts.sizeBytes <= sizeBytes ? copy : result
  // Even a copy may be larger than its source, because of its index.
  if (least.facts.sizeBytes <= mostBytes) return least
  return renderWithin(planned, { mostBytes, result, least, notes: isNoted ? notes : undefined })
}

/** `isNoted`: its bytes can be shared out afterwards. */
type Trying = { readonly isNoted: boolean; readonly choice: Choice }

/** Renders a plan and checks a copy before accepting it. */
async function tryPlan(
  planned: Planned,
  { isNoted, choice }: Trying,
): Promise<{ result: Rendered } | { why: string }> {
  const { context, plan } = planned
  if (plan.video === 'encode') {
    const watch = triesAfter(plan, isNoted)
    return { result: await encodeFilm(planned, plan, { watch, choice }) }
  }
  const { row, cutting } = plan
  if (cutting) {
    const onShare = progressOf(partOf(context, cutShares.seams), 'rendering')
    return renderCut({ ...context, onShare }, cutting, async (coding) =>
      runPlan(partOf(context, cutShares.joined), withPictureCoding(plan, coding)),
    )
  }
  try {
    const result = await runPlan(context, plan)
    if (!isTrueCopy(result, plan)) return { why: 'its picture ends at another time' }
    const why = row && (await doubtOfRow(context.tools, result, row))
    return why === undefined ? { result } : { why }
  } catch (error) {
    const isRefused = error instanceof JobError && error.reason === 'source_undecodable'
    if (row && isRefused) return { why: 'it could not be made' }
    throw error
  }
}

/** Whether a result that is larger than its source can be encoded into as many bytes as that has. */
function isSharedOut({ mostBytes, format, codec, sources }: RenderPlan): boolean {
  return mostBytes !== undefined && canShareOut(codec) && sources[0]?.format === format
}

/** A result that comes out larger than its source is encoded again: once, or most often as many times as are allowed. */
function triesAfter({ mostBytes, durationSeconds }: RenderPlan, isNoted: boolean): Watch {
  const tries = isNoted ? 1 : qualityTries
  return ({ pictureBytes, stretches }) => {
    const seconds = secondsIn(stretches)
    const isKnown = mostBytes !== undefined && seconds >= judgedFromSeconds
    const isLarger = isKnown && (pictureBytes * durationSeconds) / seconds > mostBytes
    return { stoppedAt: undefined, again: isLarger ? tries : 0 }
  }
}

/** Watches an encode after which others will follow, as far as anybody can tell. */
function followedBy(again: number): Watch {
  return () => ({ stoppedAt: undefined, again })
}

/** Shares of the work of most cuts; the rest is the proof. */
const cutShares = { seams: [0, 0.4], joined: [0.4, 0.55] } as const

/** The context for a part of the rendering: its progress counts between these shares. */
export function partOf(context: JobContext, [from, to]: readonly [number, number]): JobContext {
  const { reporter } = context
  const progress: typeof reporter.progress = (phase, share, again) =>
    reporter.progress(phase, from + (to - from) * share, again)
  return { ...context, reporter: { ...reporter, progress } }
}

/** Encodes; if the result would be larger than its sources, at a lower quality of the picture. */
async function renderEncoded(
  planned: Planned,
  variation: Pick<Variation, 'copying'>,
  made?: FirstEncode,
): Promise<Rendered> {
  const { context, clips } = planned
  const { notes = usualNotes } = made ?? {}
  const first = planWith(planned, variation)
  const { budget, codec, durationSeconds } = first
  const asked = context.job.options.compressionQuality
  let choice = made ? undefined : await divideFilm(planned, first)
  const sample =
    choice && 'division' in choice ? samplerOf(planned, variation, choice.division) : undefined
  const known = made && { ...(await encodedAs(context, made.result)), isShared: made.isShared }
  const wanted = budget && { clips, budget, asked, codec, durationSeconds, sample, first: known }
  const looks = wanted !== undefined && !made && isLookedAt(wanted)
  context.reporter.expect(renderingAhead(planned, first, looks))
  if (!wanted) return encodeFilm(planned, first, { watch: followedBy(0), choice })
  const encoding = { ...planned, context: looks ? partOf(context, [lookShare, 1]) : context }
  return renderInBudget(context, wanted, async ({ pass: kind, ...rate }, watch) => {
    const pass = kind && { kind, notes }
    const plan = planWith(planned, { ...variation, ...rate, ...(pass && { pass }) })
    if (kind === 'look') return lookAt(partOf(context, [0, lookShare]), plan)
    const chosen = choice
    choice = undefined
    return encodeWatched(encoding, plan, { watch, choice: chosen })
  })
}

/** Encodes some pictures of a film that is divided, at another quality; nothing if that fails. */
function samplerOf(planned: Planned, variation: Pick<Variation, 'copying'>, division: Division) {
  return async (pictureQuality: number): Promise<Written | undefined> => {
    const plan = planWith(planned, { ...variation, pictureQuality })
    const { context } = planned
    try {
      return await sampleFilm(context, plan, codedAs(division, plan))
    } catch (error) {
      context.tools.signal.throwIfAborted()
      context.log('warn', 'A film was not sampled', { fault: stackOf(error) })
      return undefined
    }
  }
}

/** What the first run over the pictures writes down for the second. */
const usualNotes = 'notes'

/** Encodes quickly, to see how large the picture becomes. The sound comes with it, because one filter may make both. */
async function lookAt(context: JobContext, plan: RenderPlan): Promise<Encoded<Rendered>> {
  return encodedAs(context, await runPlan(context, plan, 'look'))
}

async function encodedAs(context: JobContext, result: Rendered) {
  return { result, pictureBytes: await pictureBytesOf(context, result) }
}

async function renderCopy(
  context: JobContext,
  plan: RenderPlan,
  { audio, tracks }: Remux,
): Promise<Rendered | undefined> {
  // It takes a moment, and its progress would pass for that of an encode.
  const reporter = { ...context.reporter, progress: () => undefined }
  const remux = { ...plan, video: 'copy', audio, tracks } as const
  const copy = await runPlan({ ...context, reporter }, remux, 'remux')
  return isTrueCopy(copy, plan) ? copy : undefined
}

/** `result` is what was asked for, `least` the smallest result so far. */
type Fit = {
  mostBytes: number
  result: Rendered
  least: Rendered
  /** What a first encode has written down. */
  notes: string | undefined
}

/**
 * Encodes at a lower quality, so that the result is not larger than the source; if that fails, returns the smallest
 * result with a warning.
 */
async function renderWithin(planned: Planned, fit: Fit): Promise<Rendered> {
  const { plan } = fit.result
  const { notes } = fit
  const shared = notes !== undefined && (await renderShared(planned, fit.mostBytes, notes))
  if (shared) return shared
  const lower = await renderLower(planned, fit)
  if (lower) return lower
  const isSameFormat = plan.sources[0]?.format === plan.format
  const atRate = isSameFormat && (await renderAtRate(planned, fit.mostBytes))
  if (atRate) return atRate
  const { least } = fit
  const warning = 'compressionQuality: the source is so small that the result is larger.'
  return { ...least, plan: { ...least.plan, warnings: [...plan.warnings, warning] } }
}

/** So much less of the bytes of the source for each quality below 100, so that a lower one is never the larger. */
const lessPerQuality = 0.001

async function renderShared(
  planned: Planned,
  mostBytes: number,
  notes: string,
): Promise<Rendered | undefined> {
  const { context } = planned
  const less = (100 - context.job.options.compressionQuality) * lessPerQuality
  // What is taken for good may exceed this a little, but not the source.
  const mayTake = (mostBytes * (1 - less)) / goodShare.most
  const shared = await shareOut(mayTake, async (fitBytes) => {
    const plan = planWith(planned, { fitBytes, pass: { kind: 'second', notes } })
    const result = await runPlan(context, plan, 'fit')
    return { result, pictureBytes: result.facts.sizeBytes }
  })
  return shared?.isWithin ? shared.result : undefined
}

const qualityTries = 5

async function renderLower(
  planned: Planned,
  { mostBytes, result }: Fit,
): Promise<Rendered | undefined> {
  const { context } = planned
  const tried = new Map<number, Rendered>()
  const request = { asked: context.job.options.compressionQuality, mostBytes, tries: qualityTries }
  const askedBytes = result.facts.sizeBytes
  const best = await highestFitting({ ...request, askedBytes }, async (quality) => {
    const plan = planWith(planned, { quality })
    const left = qualityTries - tried.size - 1
    const stem = `quality${quality}`
    const rendered = await encodeFilm(planned, plan, { watch: followedBy(left), stem })
    tried.set(quality, rendered)
    return rendered.facts.sizeBytes
  })
  return best === undefined ? undefined : tried.get(best)
}

const rateTries = 3
/** How often a try that is not the last one is followed by another. */
const likelyAgain = 0.7
/** Encoders come close to the rate they are given, and may exceed it. */
const fitShare = 0.95

/** The last resort if the codec of the source needs far fewer bytes and only the size was asked for. */
async function renderAtRate(planned: Planned, mostBytes: number): Promise<Rendered | undefined> {
  let fitBytes = mostBytes * fitShare
  let before = ''
  for (let i = 0; i < rateTries; i++) {
    const plan = planWith(planned, { fitBytes })
    // Below the least rate of the encoder, fewer bytes give the same result.
    const coding = JSON.stringify(plan.tracks.map(({ coding }) => coding))
    if (coding === before) return undefined
    before = coding
    const again = i + 1 < rateTries ? likelyAgain : 0
    const fitted = await encodeFilm(planned, plan, { watch: followedBy(again), stem: `fit${i}` })
    const { sizeBytes } = fitted.facts
    if (sizeBytes <= mostBytes) return fitted
    fitBytes *= (fitShare * mostBytes) / sizeBytes
  }
  return undefined
}

/** A copy can lose a cut that was made without encoding, between two key frames. */
function isTrueCopy({ facts }: Rendered, { pictureSeconds }: RenderPlan): boolean {
  return Math.abs(facts.video.endSeconds - pictureSeconds) <= copyToleranceSeconds
}

type FitRequest = {
  /** The quality that was asked for, whose result is too large. */
  readonly asked: number
  readonly askedBytes: number
  readonly mostBytes: number
  readonly tries: number
}

/**
 * Finds the highest quality below the one asked for whose result fits; undefined if not even the lowest does. It takes
 * the highest so that a lower requested quality never gives a larger file. Every try is a whole encode, but sizes grow
 * by about the same share from one quality to the next, so few tries are enough.
 */
export async function highestFitting(
  { asked, askedBytes, mostBytes, tries }: FitRequest,
  bytesAt: (quality: number) => Promise<number>,
): Promise<number | undefined> {
  if (asked <= 1) return undefined
  let fits = { quality: 1, bytes: await bytesAt(1) }
  let tooLarge = { quality: asked, bytes: askedBytes }
  if (fits.bytes > mostBytes) return undefined
  for (let left = tries - 1; left > 0 && tooLarge.quality - fits.quality > 1; left--) {
    const quality = guess(fits, tooLarge, mostBytes)
    const tried = { quality, bytes: await bytesAt(quality) }
    if (tried.bytes <= mostBytes) fits = tried
    else tooLarge = tried
  }
  return fits.quality
}

type Tried = { quality: number; bytes: number }

function guess(fits: Tried, tooLarge: Tried, mostBytes: number): number {
  const share = Math.log(mostBytes / fits.bytes) / Math.log(tooLarge.bytes / fits.bytes)
  const between = fits.quality + share * (tooLarge.quality - fits.quality)
  return Math.min(tooLarge.quality - 1, Math.max(fits.quality + 1, Math.floor(between)))
}
