import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { rateText, type FrameRate } from '../../timeline/frame-rate.ts'

/** So many pictures at this rate, from 0 on. The first is shown until it comes, the last until the end. */
export function steadyPictures(
  picture: Stream<'video'>,
  rate: FrameRate,
  frames: number,
): Stream<'video'> {
  return pipeAll(picture, [
    // A source that ends before half of its only picture is over would have none.
    ['fps', { fps: rateText(rate), start_time: 0, ...(frames === 1 && { eof_action: 'pass' }) }],
    ['tpad', { stop_mode: 'clone', stop: frames }],
    ['trim', { end_frame: frames }],
  ])
}
