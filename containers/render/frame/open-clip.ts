import { demuxers } from '../../ffmpeg/measure-media.ts'
import { inputFile, pipe, pipeAll, streamOf, type Stream } from '../../graph/filter-graph.ts'
import type { MediaFacts, VideoFacts } from '../../timeline/media-facts.ts'
import type { Clip, InputOptions } from '../../timeline/clip.ts'
import { alphaReading } from './alpha-reading.ts'
import { wholePictures, withoutFields } from './deinterlace.ts'
import { holdSize } from './hold-size.ts'
import { onColor } from '../color/on-color.ts'
import { toStandardPicture } from '../color/standard-picture.ts'

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
    ? onColor(picture, withoutFields(video), backgroundColor)
    : toStandardPicture(picture, withoutFields(video))
  const audio = facts.audio && streamOf(file, 'audio', facts.audio.index)
  return { ...codable(standard, { ...facts, video }), audio, asked }
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
  return pipe(picture, 'setpts', { expr: `PTS-${lateSeconds}/TB` })
}
