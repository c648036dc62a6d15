import { measureCutting, type CutChoice } from '../../containers/cuts/plan/measure-cutting.ts'
import { renderCut } from '../../containers/job/render/render-cut.ts'
import { createLog } from '../../containers/errors/log.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../containers/ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { openClip } from '../../containers/render/frame/open-clip.ts'
import {
  compilePlan,
  planRender,
  withPictureCoding,
  type RenderPlan,
} from '../../containers/render/plan-render.ts'
import type { RenderSources } from '../../containers/render/render-sources.ts'
import type { MediaFacts } from '../../containers/timeline/media-facts.ts'
import { limitedYuv } from '../../containers/render/color/limited-yuv.ts'
import { fpsOf } from '../../containers/timeline/frame-rate.ts'
import type { FrameSpan } from '../../containers/timeline/frame-spans.ts'
import { planClips } from '../../test/support/containers/films/plan-clips.ts'
import { optionsSchema, type ProcessingOptions } from '../../worker/contract/options/options.ts'

export type Task = {
  readonly tools: ToolContext
  readonly source: string
  readonly facts: MediaFacts
  readonly fps: number
  readonly removed: readonly FrameSpan[]
  readonly kept: readonly FrameSpan[]
}

function planOf({ tools, source, facts, fps, removed }: Task, copy: CutChoice): RenderPlan {
  const removeSegments = removed.map(({ from, to }) => ({
    startTime: from / fps,
    endTime: to / fps,
  }))
  const options = optionsSchema.parse({ removeSegments })
  return planClips([openClip(source, facts, {})], options, capsOf(tools), { copy })
}

/** Writes `stored.mp4`, and returns how long its proof took, or why it was encoded. */
export async function cutAsStored(task: Task): Promise<string> {
  const { tools, source, facts, kept } = task
  const name = 'stored.mp4'
  const { frameRate, endSeconds } = facts.video
  const frames = Math.round(endSeconds * fpsOf(frameRate))
  const clips = [{ path: source, facts, frames }] as const
  const choice = await measureCutting(tools, {
    ...{ clips, frameRate, joints: [], toYuv: limitedYuv },
    kept: kept.map((span) => ({ ...span, overlap: 0 })),
  })
  return runStored(tools, planOf(task, choice), name)
}

async function runStored(tools: ToolContext, plan: RenderPlan, name: string): Promise<string> {
  if (!plan.cutting) {
    await run(tools, plan, name)
    return `encoded: ${plan.whyEncoded ?? 'unknown'}`
  }
  let provingFrom = 0
  const log = createLog(() => undefined)
  const made = await renderCut({ tools, log }, plan.cutting, async (coding) => {
    await run(tools, withPictureCoding(plan, coding), name)
    provingFrom = performance.now()
    const request = { path: name, field: 'result', maxSeconds: 1e6, isOurs: true, isResult: true }
    return { name, facts: await measureMedia(tools, request) }
  })
  const proof = ((performance.now() - provingFrom) / 1000).toFixed(1)
  return 'why' in made ? `failed: ${made.why}` : `proof ${proof} s of it`
}

/** Renders what was found to be joined as stored; anything else is a fault. */
export async function renderStored(
  tools: ToolContext,
  sources: RenderSources,
  options: ProcessingOptions,
  name: string,
): Promise<void> {
  const said = await runStored(tools, planRender(sources, options, capsOf(tools)), name)
  if (!said.startsWith('proof')) throw new Error(`Not joined as stored: ${said}`)
}

/** Renders by one encode. */
export async function render(
  tools: ToolContext,
  sources: RenderSources,
  options: ProcessingOptions,
  name: string,
): Promise<void> {
  const copy = { why: 'it is compared' }
  await run(tools, planRender({ ...sources, copy }, options, capsOf(tools)), name)
}

/** Writes `encoded.mp4`: what the same request gives where nothing can be copied. */
export async function encodeOnce(task: Task): Promise<string> {
  await run(task.tools, planOf(task, { why: 'it is compared' }), 'encoded.mp4')
  return ''
}

async function run(tools: ToolContext, plan: RenderPlan, name: string): Promise<void> {
  await runFfmpeg(tools, compilePlan(plan, name, capsOf(tools)), () => undefined)
}

function capsOf({ threads, maxPixels }: ToolContext) {
  return { threads, maxPixels, maxOutputBytes: 1e11 }
}
