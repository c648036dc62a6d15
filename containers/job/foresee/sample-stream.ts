import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Likely } from '../../../worker/contract/job/foresight.ts'
import type { Paces } from '../../../worker/contract/job/paces.ts'
import type { Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { readPackets } from '../../cuts/mp4/read-packets.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { compileStream, planStream, segmentSeconds } from '../../render/output/stream-files.ts'
import { filmSeconds } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { streamWork, type OpenStream } from '../outputs/stream-output.ts'
import { capsOf } from '../plan/plan-job.ts'
import { readFromExcerpt } from '../plan/read-from-excerpt.ts'
import { paceOf } from '../report/work-kinds.ts'
import { samplePlaces, slowness, unlikeStretches, type SamplePlace } from './sample-places.ts'
import { fromSamples, type Sample } from './sample-result.ts'
import { mostMs, tryForPlan } from '../try-for-plan.ts'

/** How many places of a stream are encoded in all sizes, and how many seconds of each; of a short film, one place. */
const sampled = { places: 3, seconds: 0.8, ofShort: 2 } as const
const stem = 'sample-'

/**
 * The bytes of the pictures of all sizes in a stream of this length, judged by samples of the film; undefined if these
 * would take long or cannot be made.
 */
export async function sampleStream(
  cut: Cut,
  output: Output,
  { opened, seconds }: { readonly opened: OpenStream; readonly seconds: number },
): Promise<Likely | undefined> {
  const { context } = cut
  if (context.isPartial || context.isUnseen) return undefined
  const places = placesFor(cut, output, context.job.paces ?? {})
  if (places.length === 0) return undefined
  return tryForPlan(context, 'A stream', async (trying) => {
    const samples: Sample[] = []
    for (const { share, ...excerpt } of places) {
      samples.push({ rate: await rateOf(opened, trying.tools, excerpt), share })
    }
    return fromSamples(samples, seconds, secondsOf(cut))
  })
}

/** The places to sample; none if even one would take too long. */
function placesFor(cut: Cut, output: Output, paces: Paces): SamplePlace[] {
  const whole = filmSeconds(cut)
  const { kind, units } = streamWork(cut, output)
  const secondMs = (units * paceOf(kind, paces).ms) / whole
  const stretches = unlikeStretches(cut)
  const places = Math.max(stretches.length, isShort(cut) ? 1 : sampled.places)
  const seconds = secondsOf(cut)
  const asked = [places, 1].map((count) => samplePlaces(stretches, { places: count, seconds }))
  const msOf = (some: readonly SamplePlace[]): number =>
    some.reduce((sum, { duration }) => sum + duration * secondMs, 0)
  return asked.find((some) => msOf(some) <= mostMs) ?? []
}

function isShort(cut: Cut): boolean {
  return filmSeconds(cut) < sampled.places * sampled.seconds * slownessOf(cut) * 2
}

function secondsOf(cut: Cut): number {
  const slow = slownessOf(cut)
  return isShort(cut) ? Math.min(sampled.ofShort * slow, filmSeconds(cut)) : sampled.seconds * slow
}

function slownessOf({ clips: [{ facts }] }: Cut): number {
  return slowness(facts.video.averageFps)
}

/** The bytes a second of all sizes, as if each segment had one key picture. */
async function rateOf(
  { sized, ladder }: OpenStream,
  tools: ToolContext,
  excerpt: { readonly startTime: number; readonly duration: number },
): Promise<number> {
  const { context } = sized
  const options = { ...context.job.options, ...excerpt }
  const own = { ...context, tools, job: { ...context.job, options } }
  const read = await readFromExcerpt({ ...sized, context: own })
  const caps = capsOf(context.settings)
  const plan = planStream(read, options, ladder.rungs, caps)
  const whole = filmSeconds(sized)
  const keysASecond = Math.ceil(whole / segmentSeconds) / Math.max(whole, 0.04)
  const keyShare = Math.min(1, plan.durationSeconds * keysASecond)
  let bytes = 0
  await runFfmpeg(tools, compileStream(plan, stem, caps), () => undefined)
  for (const { path: file, rung } of plan.files) {
    const name = stem + file
    if (rung) {
      const { sizes, keys } = await readPackets(tools, name, {
        format: 'mp4',
        video: { index: 0 },
      })
      bytes += sizes.reduce((sum, size, i) => sum + (keys[i] === 1 ? size * keyShare : size), 0)
    }
    await rm(path.join(tools.folder, name), { force: true })
  }
  return bytes / Math.max(0.04, plan.durationSeconds)
}
