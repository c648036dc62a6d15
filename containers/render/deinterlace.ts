import { pipe, pipeAll, type Stream } from '../graph/filter-graph.ts'
import { fpsOf, nearestRate, rateText } from '../timeline/frame-rate.ts'
import type { VideoFacts } from '../timeline/media-facts.ts'
import { progressiveScan } from '../timeline/scan-facts.ts'

/**
 * One whole picture for each that is stored: of two moments that share one, the first. Must come before anything that
 * scales, turns or leaves out pictures. Whole pictures pass as they are; none says any more that it is made of fields.
 */
export function deinterlace(
  picture: Stream<'video'>,
  { scan }: Pick<VideoFacts, 'scan'>,
): Stream<'video'> {
  if (scan.kind === 'progressive') {
    return scan.isMarked ? pipe(picture, 'setfield', { mode: 'prog' }) : picture
  }
  return pipe(picture, 'bwdif', { mode: 'send_frame', parity: parityOf(scan), deint: 'all' })
}

/** The same of pictures whose neighbours were left out: the missing lines are guessed from those of the picture alone. */
export function deinterlaceAlone(
  picture: Stream<'video'>,
  { scan }: Pick<VideoFacts, 'scan'>,
): Stream<'video'> {
  if (scan.kind === 'progressive') return deinterlace(picture, { scan })
  return pipe(picture, 'estdif', { mode: 'frame', parity: parityOf(scan), deint: 'all' })
}

type Whole = { readonly picture: Stream<'video'>; readonly video: VideoFacts }

/**
 * The pictures of a whole video, and what they are then. Those of film are put together again from the five that were
 * made of every four, and come at the rate of film; of a single picture that is not to be had.
 */
export function wholePictures(picture: Stream<'video'>, video: VideoFacts): Whole {
  if (video.scan.kind !== 'telecined') return { picture: deinterlace(picture, video), video }
  const { scan, frameRate } = video
  const film = pipeAll(picture, [
    ['fps', { fps: rateText(frameRate) }],
    ['fieldmatch', { order: parityOf(scan) }],
    // What finds no match, such as a title that moves as video does.
    ['bwdif', { mode: 'send_frame', parity: parityOf(scan), deint: 'interlaced' }],
    ['decimate'],
    ['setfield', { mode: 'prog' }],
  ])
  const rate = nearestRate(fpsOf(frameRate) * filmShare)
  const atFilmRate = { frameRate: rate, averageFps: fpsOf(rate), hasConstantRate: true }
  return { picture: film, video: { ...video, ...atFilmRate, hasGaps: false } }
}

/** Four pictures of five are kept. */
const filmShare = 4 / 5

function parityOf({ firstField }: VideoFacts['scan']): 'tff' | 'bff' {
  return firstField === 'top' ? 'tff' : 'bff'
}

/** For what comes after: the pictures are whole by now. */
export function withoutFields(video: VideoFacts): VideoFacts {
  return { ...video, scan: progressiveScan }
}
