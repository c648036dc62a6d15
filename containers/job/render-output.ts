import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { MediaFacts } from '../ffmpeg/media-facts.ts'
import { measureMedia } from '../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts'
import {
  compilePlan,
  describePlan,
  planRender,
  type Copying,
  type Measured,
  type RenderCaps,
  type RenderPlan,
} from '../render/plan-render.ts'
import type { Clip } from '../render/render-state.ts'
import type { Settings } from '../settings.ts'
import { progressOf, type JobContext } from './job-context.ts'
import { JobError } from './job-error.ts'

/** The measured files in the job folder, and what was measured beside them. */
export type Sources = Measured & { readonly clips: readonly [Clip, ...Clip[]] }

export function planJob(
  { job, settings }: JobContext,
  { clips, ...measured }: Sources,
  copying?: Copying,
): RenderPlan {
  return planRender(clips, job.options, capsOf(settings), copying, measured)
}

/** A finished file in the job folder, measured, and the plan that made it. */
export type Rendered = {
  readonly name: string
  readonly facts: MediaFacts
  readonly plan: RenderPlan
}

/** More than this, and pictures are missing or late. */
const copyToleranceSeconds = 0.2

/** Plans and renders. What cannot be copied truly is encoded; what only got larger is copied. */
export async function renderOutput(context: JobContext, sources: Sources): Promise<Rendered> {
  const plan = planJob(context, sources)
  const result = await renderTracks(context, plan, plan.tracks)
  if (plan.video === 'copy' && !isTrueCopy(result, plan)) {
    const encoding = planJob(context, sources, 'forbidden')
    return renderTracks(context, encoding, encoding.tracks)
  }
  const { remux } = plan
  if (!remux || result.facts.sizeBytes <= remux.aboveBytes) return result
  const copy = await renderTracks(context, { ...plan, video: 'copy', audio: 'copy' }, remux.tracks)
  const isBetter = copy.facts.sizeBytes < result.facts.sizeBytes && isTrueCopy(copy, plan)
  return isBetter ? copy : result
}

/** A cut made without encoding, between two key frames, can be lost in a copy. */
function isTrueCopy({ facts }: Rendered, { pictureSeconds }: RenderPlan): boolean {
  return Math.abs(facts.video.endSeconds - pictureSeconds) <= copyToleranceSeconds
}

async function renderTracks(
  context: JobContext,
  plan: RenderPlan,
  tracks: RenderPlan['tracks'],
): Promise<Rendered> {
  const { settings, tools, trace } = context
  trace.plan(describePlan(plan))
  const onProgress = progressOf(context, 'rendering')
  const name = `${tracks === plan.tracks ? 'out' : 'remux'}.${plan.format}`
  await runFfmpeg(tools, compilePlan(plan, tracks, name, capsOf(settings)), ({ outSeconds }) =>
    onProgress(outSeconds / Math.max(plan.durationSeconds, 0.001)),
  )
  const { size } = await stat(path.join(tools.folder, name))
  // ffmpeg ends well when it meets the cap, with a file that is cut off.
  if (size >= settings.MAX_OUTPUT_BYTES) {
    throw new JobError(
      'output_too_large',
      `The result would be larger than ${settings.MAX_OUTPUT_BYTES} bytes.`,
    )
  }
  return { name, facts: await measureResult(context, plan, name), plan }
}

/** What ffmpeg calls a success may still hold no picture, if a source was damaged badly enough. */
async function measureResult(
  { tools }: JobContext,
  plan: RenderPlan,
  name: string,
): Promise<MediaFacts> {
  const maxSeconds = Number.POSITIVE_INFINITY
  const request = { path: name, field: 'result', maxSeconds, isOurs: plan.hasConstantRate }
  return measureMedia(tools, request).catch((error: unknown) => {
    if (!(error instanceof JobError) || !error.reason.startsWith('source_')) throw error
    throw new JobError('source_undecodable', 'No playable video came out; it may be damaged.', {
      cause: error,
    })
  })
}

function capsOf({ FFMPEG_THREADS, MAX_PIXELS, MAX_OUTPUT_BYTES }: Settings): RenderCaps {
  return { threads: FFMPEG_THREADS, maxPixels: MAX_PIXELS, maxOutputBytes: MAX_OUTPUT_BYTES }
}
