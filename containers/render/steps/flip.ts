import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { pipeAll } from '../../graph/filter-graph.ts'
import { renderStep } from '../render-state.ts'

const mirrors: Record<NonNullable<ProcessingOptions['flip']>, Parameters<typeof pipeAll>[1]> = {
  horizontal: [['hflip']],
  vertical: [['vflip']],
  both: [['hflip'], ['vflip']],
}

/** Mirrors every clip, upright and cropped. */
export const flip = renderStep({
  name: 'flip',
  reads: ['flip'],
  shapeClip(picture, { flip: asked }) {
    if (asked === undefined) return picture
    return { ...picture, video: pipeAll(picture.video, mirrors[asked]) }
  },
})
