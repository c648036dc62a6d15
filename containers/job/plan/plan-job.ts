import type { Copying } from '../../render/apply-options.ts'
import { planRender, type RenderPlan } from '../../render/plan-render.ts'
import type { Pass } from '../../render/output/passes.ts'
import type { RenderCaps } from '../../render/render-sources.ts'
import type { Cut } from '../cut/cut-footage.ts'
import type { WorkSettings } from '../job-context.ts'
import { addCaptions, type Captioned } from './add-captions.ts'
import { readFromExcerpt } from './read-from-excerpt.ts'

/** `copying`: whether pictures may be copied, in every plan of this film. */
type Plannable = Captioned & { readonly copying?: Copying }

/** Cut and captioned footage, and how it is rendered. */
export type Planned = Plannable & { readonly plan: RenderPlan }

export async function planJob(cut: Cut): Promise<Planned> {
  const captioned = await readFromExcerpt(await addCaptions(cut))
  return { ...captioned, plan: planWith(captioned) }
}

export type Variation = {
  readonly copying?: Copying
  readonly fitBytes?: number
  /** Replaces the requested quality: `quality` for everything, `pictureQuality` only for the picture. */
  readonly quality?: number
  readonly pictureQuality?: number
  readonly pictureBytes?: number
  readonly pass?: Pass | undefined
}

/** Plans the same sources in another way, if the first plan gave no good result. */
export function planWith(
  planned: Plannable,
  { copying, quality, ...changed }: Variation = {},
): RenderPlan {
  const { job, settings } = planned.context
  const { compressionQuality } = job.options
  const options = { ...job.options, compressionQuality: quality ?? compressionQuality }
  const caps = { ...capsOf(settings), ...changed }
  return planRender(planned, options, caps, copying ?? planned.copying)
}

export function capsOf(
  { FFMPEG_THREADS, MAX_PIXELS, MAX_OUTPUT_BYTES }: WorkSettings,
  roomBytes = Number.POSITIVE_INFINITY,
): RenderCaps {
  const maxOutputBytes = Math.min(MAX_OUTPUT_BYTES, roomBytes)
  return { threads: FFMPEG_THREADS, maxPixels: MAX_PIXELS, maxOutputBytes }
}
