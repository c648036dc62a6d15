import { planRender, type RenderPlan } from '../../../containers/render/plan-render.ts'
import { shapeClips, type Clips } from '../../../containers/render/frame/shape-clips.ts'
import type { RenderCaps, RenderSources } from '../../../containers/render/render-sources.ts'
import { askedCuts } from '../../../containers/timeline/cut-list.ts'
import { timelineOf } from '../../../containers/timeline/timeline.ts'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'

/** What a plan is made from if nothing was prepared or measured beside the clips, except for what is named. */
export function bareSources(
  clips: Clips,
  options: ProcessingOptions,
  prepared: Partial<RenderSources> = {},
): RenderSources {
  const timeline = timelineOf(clips)
  const { sound } = prepared
  const request = { clips: clips.map(({ asked }) => asked), removeSegments: options.removeSegments }
  return {
    ...{ clips, timeline, shaped: shapeClips(clips, options), sound, elementMedia: [] },
    ...{ packings: undefined, ducked: undefined, copy: undefined },
    ...{ captions: undefined, captionFile: undefined },
    removed: sound?.removed ?? askedCuts(timeline, request),
    warnings: sound?.warnings ?? [],
    ...prepared,
  }
}

/** Plans how clips are rendered, with what was prepared for them. */
export function planClips(
  clips: Clips,
  options: ProcessingOptions,
  caps: RenderCaps,
  prepared: Partial<RenderSources> = {},
): RenderPlan {
  return planRender(bareSources(clips, options, prepared), options, caps)
}
