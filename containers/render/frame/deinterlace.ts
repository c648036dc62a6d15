import { pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, nearestRate, rateText } from '../../timeline/frame-rate.ts'
import type { VideoFacts } from '../../timeline/media-facts.ts'
import { progressiveScan } from '../../timeline/scan-facts.ts'

/**
 * Makes one progressive picture of each stored one: the first of its two moments. It must come before any filter that scales,
 * turns or drops pictures. Progressive pictures pass unchanged, and afterwards no picture is marked as interlaced.
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

/** Deinterlaces pictures whose neighbours were left out: missing lines are guessed from the picture alone. */
export function deinterlaceAlone(
  picture: Stream<'video'>,
  { scan }: Pick<VideoFacts, 'scan'>,
): Stream<'video'> {
  if (scan.kind === 'progressive') return deinterlace(picture, { scan })
  return pipe(picture, 'estdif', { mode: 'frame', parity: parityOf(scan), deint: 'all' })
}

/**
 * The pictures of a whole video, and their new properties. For film, four pictures are restored from each five, at the
 * rate of film; this cannot be done for single pictures.
 */
export function wholePictures(picture: Stream<'video'>, video: VideoFacts) {
  if (video.scan.kind !== 'telecined') return { picture: deinterlace(picture, video), video }
  const { scan, frameRate } = video
  const film = pipeAll(picture, [
    ['fps', { fps: rateText(frameRate) }],
    ['fieldmatch', { order: parityOf(scan) }],
    // Deinterlaces pictures without a match, such as a title that moves at the rate of video.
    ['bwdif', { mode: 'send_frame', parity: parityOf(scan), deint: 'interlaced' }],
    ['decimate'],
    ['setfield', { mode: 'prog' }],
  ])
  const rate = nearestRate(fpsOf(frameRate) * filmShare)
  const atFilmRate = { frameRate: rate, averageFps: fpsOf(rate), hasConstantRate: true }
  return { picture: film, video: { ...video, ...atFilmRate, hasGaps: false } }
}

/** Four of five pictures are kept. */
const filmShare = 4 / 5

function parityOf({ firstField }: VideoFacts['scan']): 'tff' | 'bff' {
  return firstField === 'top' ? 'tff' : 'bff'
}

/** The facts for later filters: the pictures are progressive now. */
export function withoutFields(video: VideoFacts): VideoFacts {
  return { ...video, scan: progressiveScan }
}
