import { rm } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../../errors/job-error.ts'
import { measurePeak } from '../../ffmpeg/measure-peak.ts'
import type { Pass } from '../../render/output/passes.ts'
import { hasPasses } from '../../render/output/picture-codecs.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { JobContext } from '../job-context.ts'
import { type Planned, planWith } from '../plan/plan-job.ts'
import { type Rendered, runPlan } from './run-plan.ts'

type RenderFreely = (planned: Planned) => Promise<Rendered>

/** Renders so that the file has at most `maxBytes`, and none of its seconds more than `maxBitrate`. */
export async function renderInLimits(planned: Planned, render: RenderFreely): Promise<Rendered> {
  const { maxBytes } = planned.context.job.options
  const inRate = async (planned: Planned) => renderInRate(planned, render)
  return maxBytes === undefined ? inRate(planned) : renderInBytes(planned, maxBytes, inRate)
}

const rateTries = 6
const rateAim = 0.97
/** Sound and key pictures follow what is given less than the rest does. */
const rateSteepness = 1.5

/** Encoders keep to a rate only roughly: a second that exceeds it lowers what the next try is given. */
async function renderInRate(planned: Planned, render: RenderFreely): Promise<Rendered> {
  const { context } = planned
  const { maxBitrate } = context.job.options
  if (maxBitrate === undefined) return render(planned)
  let given = maxBitrate
  let result = await render(planned)
  for (let tries = 1; ; tries++) {
    const bits = await measurePeak(context.tools, result.name, result.facts)
    if (bits <= maxBitrate) return result
    if (tries >= rateTries) throw tooFew('maxBitrate', bits, 'bits a second')
    given *= ((rateAim * maxBitrate) / bits) ** rateSteepness
    context.log('info', 'A second of the result has too many bits; encoding it again', { bits })
    result = await render(withLimits(planned, { maxBitrate: Math.round(given) }))
  }
}

/** The same film with other limits than those that were asked for. */
function withLimits(planned: Planned, limits: { maxBitrate: number }): Planned {
  const { context } = planned
  const { job } = context
  const options = { ...job.options, ...limits }
  const changed = { ...planned, context: { ...context, job: { ...job, options } } }
  return { ...changed, plan: planWith(changed) }
}

/** A result with this share of its bytes has used them. */
const usedShare = 0.93
const aimedShare = 0.97
const byteTries = 6
/** A result that changes by less does not follow what it is given. */
const sameShare = 0.01

async function renderInBytes(
  planned: Planned,
  maxBytes: number,
  render: RenderFreely,
): Promise<Rendered> {
  const { context, plan } = planned
  const mayFill = context.job.options.compressionQuality === 100
  const hasMore = bytesOfSources(planned) > maxBytes
  if (!hasMore || !mayFill || plan.video === 'copy') {
    const result = await render(planned)
    if (result.facts.sizeBytes <= maxBytes) return result
  }
  return fitBytes(planned, maxBytes)
}

/** What the sources have for the seconds that are shown of them. */
function bytesOfSources({ clips, plan }: Planned): number {
  const all = clips.reduce((sum, { facts }) => sum + facts.durationSeconds, 0)
  const bytes = clips.reduce((sum, { facts }) => sum + facts.sizeBytes, 0)
  return (bytes * plan.durationSeconds) / Math.max(all, 0.001)
}

const notes = 'notes'
const copying = { forbidden: 'maxBytes is less than a copy would have' } as const

/** Encodes into a number of bytes; by the notes of a first run over the pictures if the encoder makes use of them. */
async function fitBytes(planned: Planned, maxBytes: number): Promise<Rendered> {
  const { context, plan } = planned
  const fit = async (pass?: Pass) =>
    fitInTries(context, maxBytes, (fitBytes) => planWith(planned, { copying, fitBytes, pass }))
  if (!hasPasses(plan.codec) || context.job.options.maxBitrate !== undefined) return fit()
  const look = { kind: 'look', notes } as const
  await runPlan(context, planWith(planned, { copying, fitBytes: maxBytes, pass: look }), 'look')
  try {
    return await fit({ kind: 'second', notes })
  } catch (error) {
    // x264 refuses a second run into too few bytes; without notes it makes them as few as it can.
    if (!(error instanceof JobError) || error.reason !== 'source_undecodable') throw error
    return fit()
  }
}

/** Encodes again and again, by how much the last try has missed its bytes. */
async function fitInTries(
  context: JobContext,
  maxBytes: number,
  planFor: (bytes: number) => RenderPlan,
): Promise<Rendered> {
  let aimed = maxBytes * aimedShare
  let before = 0
  let best: Rendered | undefined
  for (let i = 0; i < byteTries; i++) {
    const made = await encodeWhole(context, planFor(aimed), i)
    const { sizeBytes } = made.facts
    const isBetter = sizeBytes <= maxBytes && sizeBytes > (best?.facts.sizeBytes ?? 0)
    const worse = isBetter ? best : made
    if (isBetter) best = made
    if (worse) await rm(path.join(context.tools.folder, worse.name))
    if (best && best.facts.sizeBytes >= maxBytes * usedShare) return best
    const isStuck = Math.abs(sizeBytes / Math.max(1, before) - 1) < sameShare
    before = sizeBytes
    if (isStuck) break
    aimed *= (aimedShare * maxBytes) / sizeBytes
  }
  if (best) return best
  throw tooFew('maxBytes', before, 'bytes')
}

/** How often the first try is followed by another. */
const likelyAgain = 0.4

/** A film whose bytes are counted is not divided into parts. */
async function encodeWhole(context: JobContext, plan: RenderPlan, tries: number) {
  const again = tries === 0 ? likelyAgain : 0
  const parts = { whole: 'its size is given' }
  return runPlan(context, { ...plan, parts }, `bytes${tries}`, () => again)
}

function tooFew(option: string, least: number, unit: string): JobError {
  return new JobError(
    'output_too_large',
    `${option}: the result cannot be made that small; it has at least ${Math.ceil(least)} ${unit}. A smaller width, a lower fps or a shorter video needs fewer.`,
  )
}
