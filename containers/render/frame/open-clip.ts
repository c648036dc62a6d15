import { demuxers } from '../../ffmpeg/measure-media.ts'
import {
  inputFile,
  pipe,
  pipeAll,
  streamOf,
  type Stream,
  connect,
} from '../../graph/filter-graph.ts'
import type { MediaFacts, VideoFacts } from '../../timeline/media-facts.ts'
import type { Clip, InputOptions } from '../../timeline/clip.ts'
import { alphaReading } from './alpha-reading.ts'
import { wholePictures, withoutFields } from './deinterlace.ts'
import { holdSize } from './hold-size.ts'
import {
  toStandardPicture,
  standardMatrix,
  toTransparentPicture,
} from '../color/standard-picture.ts'
import { limitedYuv, tagMatrix } from '../color/limited-yuv.ts'
import { blurredBars } from '../../../worker/contract/options/picture/picture-fields.ts'

/** Opens a measured file in the job folder as the start of a filter graph. */
export function openClip(
  path: string,
  measured: MediaFacts,
  asked: InputOptions,
  backgroundColor = '#000000',
): Clip {
  const facts = asked.disableAudio ? withoutSound(measured) : measured
  const held = holdSize(facts.video)
  const reading = [...alphaReading(facts.video), ...held.reading]
  const file = inputFile(path, demuxers[facts.format], reading)
  const stored = pipeAll(streamOf(file, 'video', facts.video.index), held.filters)
  const { picture, video } = wholePictures(inTime(stored, facts.video), facts.video)
  const standard = video.hasAlpha
    ? onColor(picture, withoutFields(video), solidColor(backgroundColor))
    : toStandardPicture(picture, withoutFields(video))
  const audio = facts.audio && atVolume(streamOf(file, 'audio', facts.audio.index), asked)
  return { ...codable(standard, { ...facts, video }), audio, asked }
}

/** In floating point, in which peaks above full scale stay whole until they are limited at the end. */
function atVolume(sound: Stream<'audio'>, { volume = 1 }: InputOptions): Stream<'audio'> {
  return volume === 1 ? sound : pipe(sound, 'volume', { volume, precision: 'float' })
}

/** A colour for transparent parts: they have no picture that could be blurred behind them. */
export function solidColor(backgroundColor: string): string {
  return backgroundColor === blurredBars ? '#000000' : backgroundColor
}

/** A side of one pixel can neither be encoded nor cropped to an even size. */
function codable(picture: Stream<'video'>, facts: MediaFacts): Pick<Clip, 'video' | 'facts'> {
  const { width, height } = facts.video
  if (width > 1 && height > 1) return { video: picture, facts }
  const size = { width: Math.max(2, width), height: Math.max(2, height) }
  const video = pipe(picture, 'scale', { w: size.width, h: size.height, flags: 'neighbor' })
  return { video, facts: { ...facts, video: { ...facts.video, ...size } } }
}

/** Drops the sound; the clip then ends with its picture. */
function withoutSound(facts: MediaFacts): MediaFacts {
  return { ...facts, audio: undefined, durationSeconds: facts.video.endSeconds }
}

function inTime(picture: Stream<'video'>, { lateSeconds }: VideoFacts): Stream<'video'> {
  if (lateSeconds === 0) return picture
  return pipe(picture, 'setpts', { expr: `round(PTS-${lateSeconds}/TB)` })
}

/**
 * Puts a transparent video on a coloured background: no output format is encoded with transparency here, and the colour
 * below transparent pixels is arbitrary. The background is made from the pictures themselves, so that it has their
 * times.
 */
function onColor(picture: Stream<'video'>, facts: VideoFacts, color: string): Stream<'video'> {
  const { width, height, hasSquarePixels } = facts
  const colorMatrix = standardMatrix(facts)
  const flags = 'bicubic+accurate_rnd+full_chroma_int'
  const size = hasSquarePixels ? {} : { w: width, h: height }
  const planes = pipeAll(toTransparentPicture(picture, facts), [
    ['scale', { ...size, out_color_matrix: colorMatrix, out_range: 'limited', flags }],
    ...(hasSquarePixels ? [] : ([['setsar', { sar: 1 }]] as const)),
    ['format', { pix_fmts: 'yuva420p' }],
  ])
  const [below, above] = connect('split', [tagMatrix(planes, colorMatrix)], ['video', 'video'])
  const { y, u, v } = limitedYuv(color, colorMatrix)
  const ground = pipeAll(below, [
    ['format', { pix_fmts: 'yuv420p' }],
    ['lutyuv', { y, u, v }],
  ])
  const [video] = connect('overlay', [ground, above], ['video'])
  return video
}
