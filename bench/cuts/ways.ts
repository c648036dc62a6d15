import { storedClips } from '../../containers/cuts/plan/choose-row.ts'
import { measureCutting } from '../../containers/cuts/plan/measure-cutting.ts'
import { renderCut } from '../../containers/job/render/render-cut.ts'
import { createLog } from '../../containers/errors/log.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { limitedYuv } from '../../containers/render/color/limited-yuv.ts'
import { openClip } from '../../containers/render/frame/open-clip.ts'
import { planRender, withPictureCoding } from '../../containers/render/plan-render.ts'
import type { RenderSources } from '../../containers/render/render-sources.ts'
import { keptPieces } from '../../containers/timeline/joints.ts'
import { bareSources } from '../../test/support/containers/films/plan-clips.ts'
import { optionsSchema, type ProcessingOptions } from '../../worker/contract/options/options.ts'
import { capsOf, measured, runPlan } from '../tools-in.ts'

/** An edit of one file, or of the same file twice. */
type Edit = {
  readonly tools: ToolContext
  readonly options: ProcessingOptions
  readonly sources: RenderSources
}

export async function cutOf(tools: ToolContext, source: string, removed: object[]): Promise<Edit> {
  const options = optionsSchema.parse({ removeSegments: removed })
  const clip = openClip(source, await measured(tools, source), {})
  return { tools, options, sources: bareSources([clip], options) }
}

/** Two clips of one camera, the second of which follows the first in a crossfade. */
export async function joinOf(tools: ToolContext, source: string): Promise<Edit> {
  const facts = await measured(tools, source)
  const transition = { type: 'crossfade', duration: 0.5 } as const
  const clips = [openClip(source, facts, { transition }), openClip(source, facts, {})] as const
  const options = optionsSchema.parse({ combine: true })
  return { tools, options, sources: bareSources(clips, options) }
}

/** Copies the stored pictures, encodes the seams, and proves the result. Returns how long the proof took. */
export async function asStored({ tools, sources, options }: Edit): Promise<string> {
  const { clips, timeline, joints } = sources
  const stored = { clips: storedClips(clips, timeline), frameRate: timeline.frameRate }
  const kept = keptPieces(sources)
  const copy = await measureCutting(tools, { ...stored, kept, joints, toYuv: limitedYuv })
  const plan = planRender({ ...sources, copy }, options, capsOf(tools))
  if (!plan.cutting) throw new Error(`Not copied: ${plan.whyEncoded ?? 'unknown'}`)
  const name = 'stored.mp4'
  let provingFrom = 0
  const log = createLog(() => undefined)
  const made = await renderCut({ tools, log }, plan.cutting, async (coding) => {
    await runPlan(tools, withPictureCoding(plan, coding), name)
    provingFrom = performance.now()
    const request = { path: name, field: 'result', maxSeconds: 1e6, isOurs: true, isResult: true }
    return { name, facts: await measureMedia(tools, request) }
  })
  if ('why' in made) throw new Error(`Not proven: ${made.why}`)
  return `proof ${((performance.now() - provingFrom) / 1000).toFixed(1)} s of it`
}

/** Makes the same film without copying anything. */
export async function encodeOnce({ tools, sources, options }: Edit): Promise<string> {
  const copy = { why: 'it is compared' }
  await runPlan(tools, planRender({ ...sources, copy }, options, capsOf(tools)), 'encoded.mp4')
  return ''
}
