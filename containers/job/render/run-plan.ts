import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { heldBackIn } from '../../render/output/picture-codecs.ts'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { BrokenResult } from '../../errors/broken-result.ts'
import { JobError } from '../../errors/job-error.ts'
import { measureMedia } from '../../ffmpeg/measure-media.ts'
import type { FfmpegProgress } from '../../ffmpeg/process/read-progress.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { compilePlan, describePlan, type RenderPlan } from '../../render/plan-render.ts'
import type { ProbeSection, ToldStreams } from '../../ffmpeg/probe/probe-sections.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { noRoom, roomLeft } from '../disk-room.ts'
import { progressOf, scratchOf, type JobContext } from '../job-context.ts'
import { capsOf } from '../plan/plan-job.ts'

/** A finished file in the job folder, measured, and the plan that made it. */
export type Rendered = {
  readonly name: string
  readonly facts: MediaFacts
  readonly plan: RenderPlan
  /** The streams of the file, as they were read when it was measured. */
  readonly told?: ToldStreams | undefined
}

type OnWritten = (progress: FfmpegProgress) => number

/** Runs ffmpeg as the plan says, and measures the result. `onWritten` returns how often it will have to run again. */
export async function runPlan(
  context: JobContext,
  plan: RenderPlan,
  stem = 'out',
  onWritten: OnWritten = () => 0,
): Promise<Rendered> {
  const name = await writePlan(context, plan, stem, onWritten)
  return measureRendered(context, plan, name)
}

/** A film that was written, with everything that one look at it tells. */
export async function measureRendered(
  context: JobContext,
  plan: RenderPlan,
  name: string,
): Promise<Rendered> {
  const streams: ProbeSection[] = []
  const facts = await measureResult(context.tools, plan, name, (stream) => streams.push(stream))
  return { name, facts, plan, told: { of: name, streams } }
}

/** Runs ffmpeg as the plan says. Returns the name of the file. */
export async function writePlan(
  context: JobContext,
  plan: RenderPlan,
  stem: string,
  onWritten: OnWritten = () => 0,
): Promise<string> {
  const { settings, tools, trace } = context
  trace.plan(describePlan(plan))
  const onProgress = progressOf(context, 'rendering')
  const name = `${stem}.${plan.format}`
  const roomBytes = await roomLeft(scratchOf(context))
  const caps = capsOf(settings, roomBytes)
  await runFfmpeg(tools, compilePlan(plan, name, caps), (progress) => {
    const again = onWritten(progress)
    onProgress(secondsDone(progress, plan) / Math.max(plan.durationSeconds, 0.001), again)
  })
  await refuseTruncated(context, roomBytes, [name])
  return name
}

/** ffmpeg also succeeds when it reaches the size limit, with a truncated file. Several files are parts of one result. */
export async function refuseTruncated(
  { tools, settings }: JobContext,
  roomBytes: number,
  names: readonly string[],
  mostBytes = settings.MAX_OUTPUT_BYTES,
): Promise<void> {
  const files = await Promise.all(names.map(async (name) => stat(path.join(tools.folder, name))))
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes >= roomBytes && roomBytes < mostBytes) throw noRoom()
  if (bytes < mostBytes) return
  throw new JobError('output_too_large', `The result would be larger than ${mostBytes} bytes.`)
}

/** How many seconds are done. Filters have worked on all pictures that the encoder has taken; the encoder still holds some back. */
export function secondsDone(progress: FfmpegProgress, plan: RenderPlan): number {
  if (plan.video === 'copy') return progress.outSeconds
  const taken = progress.frames / Math.max(plan.averageFps, 0.001)
  return (taken + secondsEncoded(progress, plan)) / 2
}

/** A successful run of ffmpeg may still give no picture, if a source was badly damaged. */
export async function measureResult(
  tools: ToolContext,
  plan: RenderPlan,
  name: string,
  onStream: (stream: ProbeSection) => void = () => undefined,
): Promise<MediaFacts> {
  const maxSeconds = Number.POSITIVE_INFINITY
  const { scan, video, turnsItself } = plan
  const isUpright = video !== 'copy' || !turnsItself
  const isOurs = plan.hasConstantRate && isUpright
  const request = { path: name, field: 'result', maxSeconds, isOurs, isUpright, isResult: true }
  return measureMedia(tools, { ...request, scan, onStream }).catch(async (error: unknown) => {
    if (!(error instanceof JobError) || !error.reason.startsWith('source_')) throw error
    // However damaged a source is, a program writes the head of a file.
    const { size } = await stat(path.join(tools.folder, name))
    if (size === 0) throw new BrokenResult('The film', error)
    const message = 'No playable video came out; it may be damaged.'
    throw new BrokenResult('The film', error, { reason: 'source_undecodable', message })
  })
}

/** How much an encode has written: one stretch from the start of the film, or the stretches of its parts. */
export type Written = {
  readonly pictureBytes: number
  readonly stretches: readonly { readonly from: number; readonly to: number }[]
}

/** What an encode of the whole has written. */
export function writtenBy(
  progress: FfmpegProgress,
  plan: Pick<RenderPlan, 'averageFps' | 'budget' | 'codec'>,
): Written {
  const seconds = secondsEncoded(progress, plan)
  const pictureBytes = progress.sizeBytes - (plan.budget?.soundBytes ?? 0) * seconds
  return { pictureBytes, stretches: [{ from: 0, to: seconds }] }
}

/** ffmpeg reports the time of the sound, which may be at its end while most pictures are not encoded yet. */
export function secondsEncoded(
  { frames }: Pick<FfmpegProgress, 'frames'>,
  { averageFps, codec }: Pick<RenderPlan, 'averageFps' | 'codec'>,
): number {
  return Math.max(0, (frames - heldBackIn(codec)) / Math.max(averageFps, 0.001))
}
