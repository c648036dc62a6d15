import { planRender, type RenderPlan } from '../../../../containers/render/plan-render.ts'
import { shapeClips } from '../../../../containers/render/frame/shape-clips.ts'
import { jointsOf } from '../sound/prepare-sound.ts'
import type { RenderCaps, RenderSources } from '../../../../containers/render/render-sources.ts'
import type { Clips } from '../../../../containers/timeline/clip.ts'
import { cutTimeline } from '../../../../containers/timeline/cut-list.ts'
import type { ProcessingOptions } from '../../../../worker/contract/options/options.ts'

/** What a plan is made from if nothing was prepared or measured beside the clips, except for what is named. */
export function bareSources(
  clips: Clips,
  options: ProcessingOptions,
  prepared: Partial<RenderSources> = {},
): RenderSources {
  const { timeline, removed } = cutTimeline(clips, options)
  const { sound } = prepared
  const left = sound?.removed ?? removed
  const { joints, warnings } = jointsOf({ timeline, clips }, left.all, options)
  return {
    ...{ clips, timeline, shaped: shapeClips(clips, options), sound, elementMedia: [] },
    ...{ packings: undefined, ducked: undefined, copy: undefined },
    ...{ captions: undefined, captionFiles: [] },
    removed: left,
    joints,
    warnings: [...(sound?.warnings ?? []), ...warnings],
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
