import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { isHls } from '../../../worker/contract/options/output-hls.ts'
import { isPicture } from '../../../worker/contract/options/output-pictures.ts'
import { isSound, type Output } from '../../../worker/contract/options/outputs.ts'
import { outputFormats } from '../../../worker/contract/options/picture-fields.ts'
import { openClip } from '../../render/frame/open-clip.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import type { RenderOptions } from '../../render/render-state.ts'
import type { AllRead } from '../../render/render-steps.ts'
import { withSteadySound } from '../../sound/steady-channels.ts'
import type { Clips } from '../../timeline/clip.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { measureCuts } from '../cut/measure-cuts.ts'
import type { JobContext } from '../job-context.ts'
import { drawTexts } from '../measure/draw-texts.ts'
import { measurePackings } from '../measure/measure-job.ts'

/** What an output says takes the place of what the request says. */
const laidOver = [
  'compressionQuality',
  'aspectRatio',
  'resizeMode',
  'backgroundColor',
  'width',
  'height',
  'fps',
  'videoCodec',
  'maxBytes',
  'maxBitrate',
  'startTime',
  'duration',
] as const satisfies readonly (keyof RenderOptions & keyof Output)[]

/** These are read here, one by one, or by who names the files. */
type ReadByName = 'name' | 'outputFormat' | 'captions' | 'heights' | 'times' | 'interval'

const outputsRead: AllRead<keyof Output, (typeof laidOver)[number] | ReadByName> = true
void outputsRead

/** The options of one output: those of the request, and over them its own. */
export function optionsOf(request: ProcessingOptions, output: Output): RenderOptions {
  const { captions: asked, ...rest } = request
  const own = Object.fromEntries(
    laidOver.flatMap((name) => (output[name] === undefined ? [] : [[name, output[name]]])),
  )
  const { captions: look } = output
  const outputFormat = outputFormats.find((one) => one === output.outputFormat)
  const captions = look === false || !asked ? undefined : { ...asked, ...look }
  return {
    ...rest,
    outputs: undefined,
    ...own,
    ...(outputFormat && { outputFormat }),
    // The films of a stream are MP4 files.
    ...(isHls(output.outputFormat) && { outputFormat: 'mp4' as const }),
    ...(isPicture(output.outputFormat) && neverCopied(request)),
    // A sound is cut to the sample, not to the picture.
    ...(isSound(output.outputFormat) && { startTime: undefined, duration: undefined }),
    ...(captions && { captions }),
  }
}

/** Only at quality 100 pictures are copied as they are stored. */
function neverCopied({ compressionQuality }: ProcessingOptions) {
  return { compressionQuality: Math.min(99, compressionQuality) }
}

/**
 * The same cut footage for one output. All outputs share its sound, its cuts and its words; for each of them the pictures are
 * shaped, the texts are drawn for its frame, and it is decided whether its pictures can be copied.
 */
export async function asOutput(cut: Cut, output: Output, place: number): Promise<Cut> {
  const drawn = await drawnFor(cut, output, place)
  const packings = drawn.packings ?? (await measurePackings(drawn.context, drawn.clips))
  const footage = { ...drawn, packings }
  return { ...footage, copy: await measureCuts(footage.context, footage) }
}

/** The same for an output whose pictures are encoded in any case. */
export async function drawnFor(cut: Cut, output: Output, place: number): Promise<Cut> {
  const { job, tools } = cut.context
  const options = optionsOf(job.options, output)
  const context: JobContext = { ...cut.context, job: { ...job, options } }
  const clips = await clipsFor(cut, options)
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

/** The clips, on the background of this output and with a sound that its container can hold. */
async function clipsFor(
  { clips, fetched, context: { job, tools } }: Cut,
  options: ProcessingOptions,
): Promise<Clips> {
  const asked = job.options
  const [first, ...others] = clips.map((clip, i) => {
    const isSeenThrough =
      clip.facts.video.hasAlpha && options.backgroundColor !== asked.backgroundColor
    if (!isSeenThrough) return clip
    const file = fetched.sources[i] ?? `in${i}`
    const { video } = openClip(file, clip.facts, job.inputs[i] ?? {}, options.backgroundColor)
    return { ...clip, video }
  })
  if (!first) throw new Error('A job without clips')
  const own: Clips = [first, ...others]
  // For all other reasons the sound was steadied before.
  const isNewly = options.outputFormat === 'avi' && asked.outputFormat !== 'avi'
  return isNewly && clips.length === 1 && !isMixed(asked)
    ? withSteadySound(tools, own, options)
    : own
}

function isMixed({ elements = [] }: ProcessingOptions): boolean {
  return elements.some(({ type }) => type === 'audio')
}
