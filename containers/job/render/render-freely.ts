import { rm } from 'node:fs/promises'
import path from 'node:path'
import { isUndecodable } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import { bytesUpTo } from '../../render/output/byte-budget.ts'
import { withPictureCoding, type RenderPlan } from '../../render/plan-render.ts'
import { partOf, progressOf, type JobContext } from '../job-context.ts'
import { planWith, type Planned, type Variation } from '../plan/plan-job.ts'
import { asPlanned } from './as-planned.ts'
import { follow, type RenderTry, type OpenedFilm, type Outcome } from './render-try.ts'
import {
  bytesOfPictures,
  encodeFilm,
  encodeWhole,
  pictureBytesOf,
  seenBytes,
} from './encode-film.ts'
import { inBytes } from './in-bytes.ts'
import { inBudget, isLookedAt } from './in-budget.ts'
import { doubtOfRow, renderCut } from './render-cut.ts'
import {
  codedAs,
  divideFilm,
  isDivided,
  encodeAll,
  removeParts,
  secondsAt,
  type FilmDivision,
} from './render-in-parts.ts'
import { renderingAhead } from './rendering-ahead.ts'
import { runPlan, writePlan, type Rendered, type Written } from './run-plan.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { readPackets } from '../../cuts/mp4/read-packets.ts'
import type { MadePart } from '../../parts/make/join-parts.ts'
import type { DividedFilm } from '../../parts/plan/plan-parts.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { settingOf } from '../../graph/output-track.ts'

/** The first encode of a film, made together with others, and its notes for a second one. */
export type FirstEncode = {
  readonly result: Rendered
  readonly notes: string
  /** Whether its bytes are shared out already. */
  readonly isShared: boolean
}

/** Renders a film in one way after another until one is good; encodes it if a copy differs from its source. */
export async function renderFreely(planned: Planned, first?: FirstEncode): Promise<Rendered> {
  const { context } = planned
  const film = await openFilm(planned, first)
  const { budget } = film.plan
  if (!budget) {
    const result = await follow(asPlanned(film), attemptsOf(planned, film.choice))
    if (!('why' in result)) return result
    context.log('warn', 'A copy was not true; the video is encoded', { why: result.why })
    const forbidden = `a copy was not true: ${result.why}`
    const encoded = { ...planned, copying: { forbidden, hasFailed: true } } as const
    return renderFreely({ ...encoded, plan: planWith(encoded) })
  }
  const isLooked = !first && isLookedAt(film.plan, isDivided(film.choice))
  context.reporter.expect(renderingAhead(planned, film.plan, isLooked))
  const seen = await seenBytes(context.tools, planned.clips)
  const upTo = (seconds?: number): number => bytesUpTo(budget, seen, seconds)
  return follow(inBudget({ ...film, upTo }), attemptsOf(planned, film.choice))
}

/** Renders a film into a number of bytes. */
export async function renderInBytes(planned: Planned, maxBytes: number): Promise<Rendered> {
  const { plan, context } = planned
  const hasRate = context.job.options.maxBitrate !== undefined
  const film = { plan, planFor: planning(planned), notes: usualNotes }
  return follow(inBytes(film, { maxBytes, hasRate }), attemptsOf(planned))
}

const usualNotes = 'notes'
const planning = (planned: Planned) => (variation: Variation) => planWith(planned, variation)

/** `choice`: whether the film is divided, which is known only of the first encode. */
async function openFilm(planned: Planned, first: FirstEncode | undefined): Promise<OpenedFilm> {
  const { context, plan } = planned
  const { notes = usualNotes } = first ?? {}
  const isOpen = plan.video === 'encode' && !first
  return {
    plan,
    planFor: planning(planned),
    choice: isOpen ? await divideFilm(planned, plan) : undefined,
    asked: context.job.options.compressionQuality,
    notes,
    first: first && { ...first, pictureBytes: await pictureBytesOf(context.tools, first.result) },
  }
}

/** Decides again for each encode after the first whether the film is divided, because others may have become idle. */
function attemptsOf(planned: Planned, choice?: OpenedFilm['choice']) {
  let known = choice
  return async (attempt: RenderTry): Promise<Outcome> => {
    const own = known
    if (attempt.how === 'encode') known = undefined
    return made(planned, attempt, own)
  }
}

async function made(
  planned: Planned,
  attempt: RenderTry,
  choice: OpenedFilm['choice'],
): Promise<Outcome> {
  const { plan, how, stem, shares, because, dropped } = attempt
  const context = inShares(planned.context, shares)
  if (because) {
    const message = 'The result would have another size than its source; encoding it again'
    context.log('info', message, because)
  }
  if (dropped) await rm(path.join(context.tools.folder, dropped.name))
  try {
    if (how === 'copy') return await copied(context, plan, stem)
    if (how === 'sample') return await sampled(context, plan, choice)
    if (how === 'look') return { seenBytes: await seenIn(context, plan) }
    if (how === 'notes') return { notes: await writePlan(context, plan, stem ?? how) }
    if (how === 'encode') return await encodeFilm({ ...planned, context }, attempt, choice)
    return await encodeWhole(context, attempt)
  } catch (error) {
    if (!attempt.mayBeRefused || !isUndecodable(error)) throw error
    return { why: 'the encoder refused it' }
  }
}

async function seenIn(context: JobContext, plan: RenderPlan): Promise<number> {
  return bytesOfPictures(context.tools, await writePlan(context, plan, 'look'), plan)
}

function inShares(context: JobContext, shares: RenderTry['shares']): JobContext {
  if (!shares) return context
  if (shares !== 'untold') return partOf(context, shares)
  return { ...context, reporter: { ...context.reporter, progress: () => undefined } }
}

/** The shares of the work of most cuts; the rest is the proof. */
const cutShares = { seams: [0, 0.4], joined: [0.4, 0.55] } as const

/** Makes a copy, and compares it with its source before it is accepted. */
async function copied(
  context: JobContext,
  plan: RenderTry['plan'],
  stem: string | undefined,
): Promise<Outcome> {
  const { row, cutting } = plan
  if (cutting) {
    const onShare = progressOf(partOf(context, cutShares.seams), 'rendering')
    return renderCut({ ...context, onShare }, cutting, async (coding) =>
      runPlan(partOf(context, cutShares.joined), withPictureCoding(plan, coding)),
    )
  }
  try {
    const result = await runPlan(context, plan, stem)
    if (!isTrueCopy(result)) return { why: 'its picture ends at another time' }
    const why = row && (await doubtOfRow(context.tools, result, row))
    return why === undefined ? { result } : { why }
  } catch (error) {
    if (row && isUndecodable(error)) return { why: 'it could not be made' }
    throw error
  }
}

/** If the ends are farther apart than this, pictures are missing or late. */
const copyToleranceSeconds = 0.2

/** A copy can lose a cut that was made without encoding, between two key frames. */
function isTrueCopy({ facts, plan }: Rendered): boolean {
  return Math.abs(facts.video.endSeconds - plan.pictureSeconds) <= copyToleranceSeconds
}

async function sampled(
  context: JobContext,
  plan: RenderTry['plan'],
  choice: OpenedFilm['choice'],
): Promise<Outcome> {
  if (!isDivided(choice)) throw new Error('Only a film in parts is sampled')
  try {
    return { sampled: await sampleFilm(context, plan, codedAs(choice.division, plan)) }
  } catch (error) {
    context.tools.signal.throwIfAborted()
    context.log('warn', 'A film was not sampled', { fault: stackOf(error) })
    return { why: 'it could not be sampled' }
  }
}

/** How much of a film is encoded to see how large it becomes, in how many places, and how many pictures each has. */
const samples = { share: 0.045, least: 6, most: 16, pictures: 30 } as const

/**
 * Encodes some pictures from all over a film that is divided. The parts that are being encoded show only their own beginnings,
 * which may be very different from the rest.
 */
export async function sampleFilm(
  context: JobContext,
  plan: RenderPlan,
  { parts, lanes }: FilmDivision,
): Promise<Written> {
  const { tools } = context
  const spans = spansOfSamples(parts)
  const division = { lanes, parts: { ...parts, spans } }
  try {
    const made = await encodeAll(context, plan, division, () => undefined)
    // The pictures from one key picture to the next.
    const group = Number(settingOf(parts.coding, '-g'))
    const bytes = await Promise.all(made.map(async (one) => bytesOf(context.tools, one, group)))
    return {
      pictureBytes: bytes.reduce((sum, one) => sum + one, 0),
      stretches: spans.map(({ from, to }) => ({
        from: secondsAt(parts.pictures, from),
        to: secondsAt(parts.pictures, to),
      })),
    }
  } finally {
    await removeParts(tools)
  }
}

function spansOfSamples({ pictures: { count } }: DividedFilm): FrameSpan[] {
  const wanted = Math.floor((count * samples.share) / samples.pictures)
  const number = Math.min(samples.most, Math.max(samples.least, wanted))
  const length = Math.min(samples.pictures, Math.floor(count / number))
  return Array.from({ length: number }, (_, i) => {
    const from = Math.floor(((i + 0.5) * count) / number - length / 2)
    return { from, to: from + length }
  })
}

/** The bytes of the sampled pictures, without those that only warm up; the film has fewer key pictures than they do. */
async function bytesOf(
  tools: ToolContext,
  { file, spec }: MadePart,
  group: number,
): Promise<number> {
  const video = { index: 0 }
  const { shownAt, sizes, keys } = await readPackets(tools, file, { format: 'mp4', video })
  const ordered = shownAt.slice().sort()
  const [from, to] = [ordered[spec.before] ?? 0, ordered[spec.before + spec.count] ?? Infinity]
  return sizes.reduce((sum, size, i) => {
    const at = shownAt[i] ?? 0
    if (at < from || at >= to) return sum
    const isKey = keys[i] === 1
    return sum + (isKey ? size * Math.min(1, spec.count / group) : size)
  }, 0)
}
