import { pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { rateText, type FrameRate } from '../../timeline/frame-rate.ts'

/**
 * Gives a picture this number of frames at a steady rate, beginning at 0. The first frame also stands for what is missing
 * before it, and the last one for what is missing after it.
 */
export function steadyPictures(
  picture: Stream<'video'>,
  rate: FrameRate,
  frames: number,
): Stream<'video'> {
  return pipe(filledAtRate(picture, rate, frames), 'trim', { end_frame: frames })
}

/** The same with up to this many frames more than it has. */
export function filledAtRate(
  picture: Stream<'video'>,
  rate: FrameRate,
  frames: number,
): Stream<'video'> {
  return pipeAll(picture, [
    // ffmpeg takes a film that begins late to end too soon, and drops a last picture that has no length then.
    ['tpad', { stop_mode: 'clone', stop: 1 }],
    // A source that ends before half of its only picture is over would have none.
    ['fps', { fps: rateText(rate), start_time: 0, ...(frames === 1 && { eof_action: 'pass' }) }],
    ['tpad', { stop_mode: 'clone', stop: frames }],
  ])
}
