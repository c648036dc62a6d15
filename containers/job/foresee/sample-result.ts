import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Likely } from '../../../worker/contract/job/foresight.ts'
import type { Paces } from '../../../worker/contract/job/paces.ts'
import { programsMs } from '../../ffmpeg/process/process-group.ts'
import { readPackets } from '../../cuts/mp4/read-packets.ts'
import { keySecondsOf } from '../../render/output/picture-codecs.ts'
import { planWith, type Planned } from '../plan/plan-job.ts'
import { readFromExcerpt } from '../plan/read-from-excerpt.ts'
import { writePlan } from '../render/run-plan.ts'
import type { Estimate } from '../report/estimate.ts'
import { renderingWork } from '../report/work-ahead.ts'
import { paceOf, work } from '../report/work-kinds.ts'
import { around } from './ranges.ts'
import {
  mostStretches,
  samplePlaces,
  slowness,
  unlikeStretches,
  type SamplePlace,
} from './sample-places.ts'
import { allTrialsMs, mostMs, tryForPlan } from '../try-for-plan.ts'

/** How many places of a film are encoded to see how large it becomes, and how many seconds of each. */
const sampled = { places: 3, seconds: 0.8 }
/** Long enough to include more than the first picture, which takes most bytes; the second, if each of several clips is sampled. */
const [leastSeconds, briefest] = [0.4, 0.2]
/** Samples miss the size of the whole by about this much, however alike they are, and its processor time by this much. */
const leastSpread = 0.12
const leastProcessorSpread = 0.15
/** How exactly the processor time of a program is known: it is counted in ticks, and its start does not take the same each time. */
const measuredToMs = 20
/** The rest of the time is left for the sound. */
const shareOfTime = 0.75
/** Where samples have taken longer, on a busy machine, no further programs are run to tell their processor time. */
const mostBeforeBegunMs = allTrialsMs / 2

/** What samples tell of an encode: the bytes of its pictures, and the processor time that it takes. */
export type Sampled = { readonly bytes: Likely; readonly processor?: Estimate | undefined }

/** The pictures of an encode, judged by samples; undefined if these would take long or cannot be made. */
export async function samplePictures(planned: Planned, paces: Paces): Promise<Sampled | undefined> {
  const { plan, context } = planned
  if (plan.video === 'copy' || plan.excerpt) return undefined
  // What some options look for in the pictures is not available for a trial.
  if (context.isPartial || context.isUnseen) return undefined
  const { films = 1 } = context.trialTime ?? {}
  const places = placesFor(planned, paces, mostMs / films)
  if (places.length === 0) return undefined
  const samples: Encoded[] = []
  const begun: Encoded[] = []
  await tryForPlan(
    context,
    'The picture',
    async (trying) => {
      const film = { ...planned, context: trying }
      const begunAt = performance.now()
      for (const place of places) samples.push(await encodeIn(film, place))
      if (performance.now() - begunAt > mostBeforeBegunMs / films) return
      for (const place of places) {
        begun.push(await encodeIn(film, { ...place, duration: 1 / plan.averageFps }))
      }
    },
    shareOfTime,
  )
  if (samples.length === 0) return undefined
  // On a busy machine the time may run out between two places; the samples made by then say less about the others.
  const seen = (places[0]?.duration ?? sampled.seconds) * (samples.length / places.length) ** 2
  return {
    bytes: fromSamples(samples, plan.durationSeconds, seen),
    processor: processorOf(samples, begun, plan.durationSeconds * plan.averageFps),
  }
}

/** How much longer than it may the smallest sample may seem to take: a trial that does take so long is given up. */
const slowest = 2

/** The places to sample: fewer and shorter ones if the encode is slow, none if even single pictures would take too long. */
function placesFor(planned: Planned, paces: Paces, mayTakeMs: number): SamplePlace[] {
  const { durationSeconds, averageFps } = planned.plan
  const slow = slowness(averageFps)
  const [usual, least] = [sampled.seconds * slow, leastSeconds * slow]
  const brief = briefest * slow
  const stretches = unlikeStretches(planned)
  const isShort = durationSeconds < sampled.places * usual * 2
  const { length } = stretches
  // One clip says nothing about the size of another.
  const fewest = Math.min(planned.clips.length, length, mostStretches)
  const wanted = isShort
    ? [{ places: length, seconds: length > 1 ? usual : Math.min(durationSeconds, 2 * slow) }]
    : [{ places: Math.max(length, sampled.places), seconds: usual }]
  const fewer = [
    ...(length > sampled.places ? [{ places: length, seconds: least }] : []),
    { places: sampled.places, seconds: least },
    ...(length > 1 ? [{ places: length, seconds: brief }] : []),
    { places: 1, seconds: usual },
    { places: 1, seconds: least },
    { places: 1, seconds: brief },
  ].filter(({ places, seconds }) => places >= fewest && places * seconds < durationSeconds)
  const asked = [...wanted, ...fewer].map((one) => samplePlaces(stretches, one))
  const mayTry = (places: SamplePlace[], ms: number) => tryingMs(planned, places, paces) <= ms
  const smallest = asked.slice(-1).filter((places) => mayTry(places, slowest * mayTakeMs))
  return asked.find((places) => mayTry(places, mayTakeMs)) ?? smallest[0] ?? []
}

function tryingMs(planned: Planned, places: readonly SamplePlace[], paces: Paces): number {
  const seconds = places.reduce((sum, { duration }) => sum + duration, 0)
  return (
    expectedMs(planned, seconds, paces) + places.length * paceOf(work('starting').kind, paces).ms
  )
}

function expectedMs({ plan, clips, context }: Planned, seconds: number, paces: Paces): number {
  const quality = context.job.options.compressionQuality
  const { kind, units } = renderingWork(plan, clips, quality)
  return (units * paceOf(kind, paces).ms * seconds) / plan.durationSeconds
}

/** A sample: its pictures, and the processor time that it took, with the start of its program. */
type Encoded = Sample & { readonly pictures: number; readonly processorMs: number }

/** Encodes an excerpt. Its bytes a second are counted as if it had key pictures only as often as the film. */
async function encodeIn(planned: Planned, { share, ...excerpt }: SamplePlace): Promise<Encoded> {
  const { context } = planned
  const options = { ...context.job.options, ...excerpt }
  const own = await readFromExcerpt({
    ...planned,
    context: { ...context, job: { ...context.job, options } },
  })
  const plan = planWith(own)
  const before = programsMs()
  const name = await writePlan(own.context, plan, 'sample')
  const processorMs = programsMs() - before
  const { sizes, keys } = await readPackets(context.tools, name, {
    format: plan.format,
    video: { index: 0 },
  })
  await rm(path.join(context.tools.folder, name))
  if (sizes.length === 0) throw new Error('A sample has no picture')
  const keySeconds = keySecondsOf(own.clips.map(({ facts }) => facts.video))
  const whole = planned.plan.durationSeconds
  const keysASecond = Math.ceil(whole / keySeconds) / Math.max(whole, 0.04)
  const keyShare = Math.min(1, plan.durationSeconds * keysASecond)
  const bytes = sizes.reduce((sum, size, i) => sum + (keys[i] === 1 ? size * keyShare : size), 0)
  const rate = bytes / Math.max(0.04, plan.durationSeconds)
  return { rate, share, pictures: sizes.length, processorMs }
}

/**
 * The processor time of an encode, judged by that of its samples. `begun`: one picture in each of the same places, which takes as
 * long to reach: the program starts, and decodes from the key picture before.
 */
function processorOf(
  samples: readonly Encoded[],
  begun: readonly Encoded[],
  pictures: number,
): Estimate | undefined {
  const each = begun.flatMap((one, i) => {
    const { pictures: n = 0, processorMs = 0, share = 0 } = samples[i] ?? {}
    const more = n - one.pictures
    return more > 0
      ? [{ rate: Math.max(0, processorMs - one.processorMs) / more, share, more }]
      : []
  })
  const tookMs = each.reduce((sum, { rate, more }) => sum + rate * more, 0)
  if (tookMs === 0) return undefined
  const { mean, spread } = meanOfSamples(each)
  const noise = (measuredToMs * Math.sqrt(each.length)) / tookMs
  return { ms: mean * pictures, spread: Math.hypot(leastProcessorSpread, spread, noise) }
}

/** The bytes a second in a place, and the share of the film for which it stands. */
export type Sample = { readonly rate: number; readonly share: number }

export function fromSamples(samples: readonly Sample[], whole: number, each: number): Likely {
  const { mean, spread } = meanOfSamples(samples)
  const least = leastSpread * Math.max(1, Math.sqrt(sampled.seconds / each))
  return around(mean * whole, Math.hypot(least, spread))
}

/** The mean of what samples show, and how far off it may be, because they differ. */
function meanOfSamples(samples: readonly Sample[]): {
  readonly mean: number
  readonly spread: number
} {
  const weighed = (value: (rate: number) => number): number =>
    samples.reduce((sum, { rate, share }) => sum + value(rate) * share, 0)
  const mean = weighed((rate) => rate) / weighed(() => 1)
  const variance = weighed((rate) => (rate / mean - 1) ** 2) / weighed(() => 1)
  return { mean, spread: Math.sqrt(variance / samples.length) }
}
