import type { ProcessingOptions } from '../../worker/contract/options/options.ts'
import { isHls } from '../../worker/contract/options/outputs/output-hls.ts'
import { isPicture } from '../../worker/contract/options/outputs/output-pictures.ts'
import { isSound, type Output } from '../../worker/contract/options/outputs/outputs.ts'
import { outputFormats } from '../../worker/contract/options/picture/picture-fields.ts'
import type { Size } from '../../worker/contract/layout/element-layout.ts'
import { followedShape } from './frame/followed-shape.ts'
import type { RenderOptions } from './render-state.ts'
import type { AllRead } from './render-steps.ts'

/** Options of an output that replace those of the request. */
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

/** These are read one by one, here or where files are named; `clip` was cut before. */
type ReadByName = 'clip' | 'name' | 'outputFormat' | 'captions' | 'heights' | 'times' | 'interval'

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
    // The film files of a stream are MP4.
    ...(isHls(output.outputFormat) && { outputFormat: 'mp4' as const }),
    // Pictures are copied without encoding only at quality 100.
    ...(isPicture(output.outputFormat) && {
      compressionQuality: Math.min(99, request.compressionQuality),
    }),
    // A sound is cut at the exact sample, not at a picture.
    ...(isSound(output.outputFormat) && { startTime: undefined, duration: undefined }),
    ...(captions && { captions }),
  }
}

/** Whether a result has another shape than the picture, and follows the people in it. */
export function isFollowed(picture: Size, options: RenderOptions): boolean {
  return followingResults(options).some((result) => followedShape(picture, result) !== undefined)
}

/** The options of every result with another shape that follows the people in the picture. */
export function followingResults(options: RenderOptions): RenderOptions[] {
  const results = options.outputs?.map((output) => optionsOf(options, output)) ?? [options]
  return results.filter(({ resizeMode, aspectRatio, width, height }) => {
    const isShaped = aspectRatio !== 'original' || (width !== undefined && height !== undefined)
    return resizeMode === 'follow' && isShaped
  })
}
