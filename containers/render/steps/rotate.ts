import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { pipeAll } from '../../graph/filter-graph.ts'
import { renderStep } from '../render-state.ts'

const turns: Record<Exclude<ProcessingOptions['rotate'], 0>, Parameters<typeof pipeAll>[1]> = {
  90: [['transpose', { dir: 'clock' }]],
  180: [['hflip'], ['vflip']],
  270: [['transpose', { dir: 'cclock' }]],
}

/**
 * Turns every clip after the orientation in its file was applied. The picture is encoded for this: AVI and WebM cannot
 * store an orientation, and many editors ignore it.
 */
export const rotate = renderStep({
  name: 'rotate',
  reads: ['rotate'],
  shapeClip(picture, { rotate: degrees }) {
    if (degrees === 0) return picture
    const { width, height } = picture
    const size = degrees === 180 ? { width, height } : { width: height, height: width }
    return { ...picture, ...size, video: pipeAll(picture.video, turns[degrees]) }
  },
})
