import { storedClips } from '../../containers/cuts/plan/choose-row.ts'
import { measureCutting } from '../../containers/cuts/plan/measure-cutting.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { limitedYuv } from '../../containers/render/color/limited-yuv.ts'
import { openClip } from '../../containers/render/frame/open-clip.ts'
import { keptPieces } from '../../containers/timeline/joints.ts'
import { bareSources } from '../../test/support/containers/films/plan-clips.ts'
import { optionsSchema } from '../../worker/contract/options/options.ts'
import { say } from '../benchmark.ts'
import { timed } from '../machine.ts'
import { render, renderStored } from './ways.ts'

/** Two clips of one camera, the second of which follows the first in a crossfade. */
async function joined(tools: ToolContext, source: string) {
  const facts = await measureMedia(tools, { path: source, field: source, maxSeconds: 1e6 })
  const transition = { type: 'crossfade', duration: 0.5 } as const
  const clips = [openClip(source, facts, { transition }), openClip(source, facts, {})] as const
  const options = optionsSchema.parse({ combine: true })
  return { clips, options, sources: bareSources(clips, options) }
}

/** The processor time of a join as stored, with its proof. */
async function joinStored(tools: ToolContext, source: string): Promise<number> {
  const { clips, options, sources } = await joined(tools, source)
  const { timeline, joints } = sources
  const { processor } = await timed(async () => {
    const kept = keptPieces(sources)
    const stored = { clips: storedClips(clips, timeline), frameRate: timeline.frameRate }
    const copy = await measureCutting(tools, { ...stored, kept, joints, toYuv: limitedYuv })
    await renderStored(tools, { ...sources, copy }, options, 'joined.mp4')
  })
  return processor
}

/** The processor time of an encode of the same. */
async function joinEncoded(tools: ToolContext, source: string): Promise<number> {
  const { options, sources } = await joined(tools, source)
  const { processor } = await timed(async () => render(tools, sources, options, 'whole.mp4'))
  return processor
}

/** Which share of an encode a transition takes between two long clips; `times`: how often the long one has the short one. */
export async function shareOfTransition(
  tools: ToolContext,
  { short, long, times }: { short: string; long: string; times: number },
): Promise<number> {
  const stored = await joinStored(tools, long)
  // An encode of two short clips tells that of the long ones: each of their pictures takes the same.
  const encoded = (await joinEncoded(tools, short)) * times
  say(
    `two clips with a crossfade: ${stored.toFixed(1)} s as stored, ${encoded.toFixed(0)} s encoded`,
  )
  return stored / encoded
}
