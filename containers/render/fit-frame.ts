import type { ProcessingOptions } from '../../worker/contract/options.ts'
import { pipe, pipeAll, type Stream } from '../graph/filter-graph.ts'
import { evenFloorOf, nearestEven, type Size } from './frame-shape.ts'

type Rect = Size & { readonly x: number; readonly y: number }
type Target = Size & { readonly resizeMode: ProcessingOptions['resizeMode'] }
type Fitted = { readonly video: Stream<'video'>; readonly picture: Rect }

/** Brings a picture into a frame of another size: what is around it is black, and `picture` says where it is. */
export function fitFrame(video: Stream<'video'>, clip: Size, frame: Target): Fitted {
  const whole = { x: 0, y: 0, width: frame.width, height: frame.height }
  if (clip.width === frame.width && clip.height === frame.height) return { video, picture: whole }
  switch (frame.resizeMode) {
    case 'stretch':
      return { video: scaleTo(video, frame), picture: whole }
    case 'cover':
      return { video: cover(video, clip, frame), picture: whole }
    case 'contain':
      return contain(video, clip, frame)
  }
}

function cover(video: Stream<'video'>, clip: Size, frame: Size): Stream<'video'> {
  const factor = Math.max(frame.width / clip.width, frame.height / clip.height)
  const width = Math.max(frame.width, nearestEven(clip.width * factor))
  const height = Math.max(frame.height, nearestEven(clip.height * factor))
  const scaled = scaleTo(video, { width, height })
  if (width === frame.width && height === frame.height) return scaled
  return pipe(scaled, 'crop', {
    w: frame.width,
    h: frame.height,
    x: evenFloorOf((width - frame.width) / 2),
    y: evenFloorOf((height - frame.height) / 2),
  })
}

/** The whole picture, as large as fits. */
function contain(video: Stream<'video'>, clip: Size, frame: Size): Fitted {
  const factor = Math.min(frame.width / clip.width, frame.height / clip.height)
  const width = Math.min(frame.width, nearestEven(clip.width * factor))
  const height = Math.min(frame.height, nearestEven(clip.height * factor))
  const x = evenFloorOf((frame.width - width) / 2)
  const y = evenFloorOf((frame.height - height) / 2)
  const scaled = scaleTo(video, { width, height })
  const isWhole = width === frame.width && height === frame.height
  return {
    video: isWhole
      ? scaled
      : pipeAll(scaled, [['pad', { w: frame.width, h: frame.height, x, y, color: 'black' }]]),
    picture: { x, y, width, height },
  }
}

function scaleTo(video: Stream<'video'>, { width, height }: Size): Stream<'video'> {
  return pipe(video, 'scale', { w: width, h: height, flags: 'bicubic' })
}
