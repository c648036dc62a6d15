import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { connect, pipe, pipeAll, type Stream, type TextFile } from '../../graph/filter-graph.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { tagMatrix } from '../color/limited-yuv.ts'
import { exactColors } from '../elements/planes.ts'
import { renderStep } from '../render-state.ts'

type ColorOption = NonNullable<ProcessingOptions['color']>

/** Changes the colours of every clip: first brightness, contrast and saturation, then by the table. */
export const adjustColor = renderStep({
  name: 'adjust-color',
  reads: ['color'],
  shapeClip(picture, { color }) {
    if (!color) return picture
    const { colorMatrix, colorTable } = picture
    const toned = tone(picture.video, color)
    const hasTable = color.lutUrl !== undefined && colorTable !== undefined
    const video = hasTable ? lookUp(toned, colorTable, colorMatrix) : toned
    return video === picture.video ? picture : { ...picture, video }
  },
})

/**
 * Contrast scales all colours around the middle grey, and brightness moves them: both are the same in red, green and blue
 * as in luma and chroma. Saturation scales the chroma alone.
 */
function tone(video: Stream<'video'>, color: ColorOption): Stream<'video'> {
  const { brightness = 0, contrast = 1, saturation = 1 } = color
  if (brightness === 0 && contrast === 1 && saturation === 1) return video
  const grey = (16 + 235) / 2
  const luma = `(val-${grey})*${plain(contrast)}+${plain(grey + brightness * 219)}`
  const chroma = `(val-128)*${plain(contrast * saturation)}+128`
  return pipe(video, 'lutyuv', {
    y: rounded(luma, 235),
    u: rounded(chroma, 240),
    v: rounded(chroma, 240),
  })
}

function rounded(value: string, most: number): string {
  return `floor(clip(${value},16,${most})+0.5)`
}

function plain(value: number): string {
  return value.toFixed(6)
}

/** Works in ten bits, so that the two conversions lose nothing visible. */
function lookUp(video: Stream<'video'>, file: TextFile, matrix: ColorMatrix): Stream<'video'> {
  const planes = pipeAll(video, [
    ['scale', { flags: exactColors }],
    ['format', { pix_fmts: 'gbrp10le' }],
  ])
  const args = { file: file.path, interp: 'tetrahedral' }
  const [looked] = connect('lut3d', [planes], ['video'], args, file)
  const coded = pipeAll(looked, [
    ['scale', { out_color_matrix: matrix, out_range: 'limited', flags: exactColors }],
    ['format', { pix_fmts: 'yuv420p' }],
  ])
  return tagMatrix(coded, matrix)
}
