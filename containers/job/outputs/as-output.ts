import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import type { Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { openClip } from '../../render/frame/open-clip.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import type { Clips } from '../../timeline/clip.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { measureCuts } from '../cut/measure-cuts.ts'
import type { JobContext } from '../job-context.ts'
import { drawTexts } from '../measure/draw-texts.ts'
import { measurePackings } from '../measure/measure-job.ts'
import { optionsOf } from '../../render/output-options.ts'
import { mapClips } from '../../timeline/change-clips.ts'

/**
 * The cut footage for one output. All outputs share its sound, its cuts and its words; for each one, the pictures are shaped,
 * the texts are drawn for its frame, and it is decided whether its pictures can be copied.
 */
export async function asOutput(cut: Cut, output: Output, place: number): Promise<Cut> {
  const drawn = await drawnFor(cut, output, place)
  const packings =
    drawn.packings ?? (await measurePackings(drawn.context, drawn.clips, drawn.context.job.options))
  const footage = { ...drawn, packings }
  return { ...footage, copy: await measureCuts(footage.context, footage) }
}

/** The same for an output whose pictures are encoded in any case. */
export async function drawnFor(cut: Cut, output: Output, place: number): Promise<Cut> {
  const { job, tools } = cut.context
  const options = optionsOf(job.options, output)
  const context: JobContext = { ...cut.context, job: { ...job, options } }
  const clips = clipsFor(cut, options)
  const shaped = shapeClips(clips, options)
  const { elements } = options
  const drawn = { elements, frame: shaped.frame, suffix: `of${place}` }
  const texts = await drawTexts({ ...context, tools }, drawn, cut.fonts)
  return {
    ...cut,
    ...{ context, clips, shaped },
    elementMedia: cut.elementMedia.map((media, i) => texts.media.get(i) ?? media),
    copy: undefined,
    warnings: [...cut.warnings, ...texts.warnings],
  }
}

/** The clips on the background of this output. */
function clipsFor({ clips, fetched, context: { job } }: Cut, options: ProcessingOptions): Clips {
  return mapClips(clips, (clip, i) => {
    const isSeenThrough =
      clip.facts.video.hasAlpha && options.backgroundColor !== job.options.backgroundColor
    if (!isSeenThrough) return clip
    const file = fetched.sources[i] ?? `in${i}`
    const { video } = openClip(file, clip.facts, job.inputs[i] ?? {}, options.backgroundColor)
    return { ...clip, video }
  })
}
