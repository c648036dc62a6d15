import { connect, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { limitedYuv } from '../color/limited-yuv.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import { exactColors, toPlanes } from './planes.ts'

export type ColorKey = { readonly color: string; readonly similarity?: number | undefined }

type Keyed = {
  readonly video: Stream<'video'>
  readonly size: Size
  readonly isTransparent: boolean
  readonly matrix: ColorMatrix | undefined
}

const usualSimilarity = 0.12
/** Beyond the colours that are gone, this far, others become transparent more and more: edges stay soft. */
const softness = 0.05

/** Makes a colour transparent, whatever its brightness: shadows on a green wall go with it. */
export function keyOut(opened: Keyed, key: ColorKey): Keyed {
  const { video, isTransparent, matrix } = opened
  if (matrix !== undefined) {
    const made = pipeAll(video, [
      ['format', { pix_fmts: 'yuva420p' }],
      keyFilter(key, matrix),
      ...toPlanes(true),
    ])
    return { ...opened, video: made, isTransparent: true, matrix: undefined }
  }
  if (!isTransparent) return { ...opened, video: keyPlanes(video, key), isTransparent: true }
  // What was transparent before stays so.
  const [own, looked] = connect('split', [video], ['video', 'video'])
  const both = [keyPlanes(looked, key), own]
  const [made] = connect('blend', both, ['video'], { c3_mode: 'multiply' })
  return { ...opened, video: made }
}

function keyPlanes(video: Stream<'video'>, key: ColorKey): Stream<'video'> {
  return pipeAll(video, [
    ['scale', { out_color_matrix: 'bt709', out_range: 'limited', flags: exactColors }],
    ['format', { pix_fmts: 'yuva444p' }],
    keyFilter(key, 'bt709'),
    ...toPlanes(true),
  ])
}

function keyFilter({ color, similarity = usualSimilarity }: ColorKey, matrix: ColorMatrix) {
  const { y, u, v } = limitedYuv(color, matrix)
  const hex = [y, u, v].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')
  // Given as it is stored: the filter itself would convert every colour as BT.601.
  return ['chromakey', { color: `0x${hex}`, similarity, blend: softness, yuv: 1 }] as const
}
