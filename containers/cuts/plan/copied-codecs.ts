import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'

/** Codecs whose stored pictures are copied, by the container of the result. */
const copiedVideo: Record<VideoFormat, readonly string[]> = {
  mp4: ['h264', 'hevc'],
  mov: ['h264', 'hevc'],
  webm: ['vp8', 'vp9', 'av1'],
  avi: ['h264', 'mpeg4', 'mjpeg', 'msmpeg4v3', 'dvvideo'],
}

const familyOf: Record<VideoFormat, string> = {
  mp4: 'quicktime',
  mov: 'quicktime',
  webm: 'webm',
  avi: 'avi',
}

/** Whether a copy stays in a container of the same kind. */
export function isSameFamily(source: Pick<MediaFacts, 'format'>, format: VideoFormat): boolean {
  return familyOf[source.format] === familyOf[format]
}

export function canCopyVideo(source: MediaFacts, format: VideoFormat): boolean {
  const isKnown = copiedVideo[format].includes(source.video.codec)
  return isSameFamily(source, format) && isKnown && !losesTurn(source, format)
}

/** ffmpeg reads the rotation of pictures from WebM, but does not write it. */
export function losesTurn({ video }: MediaFacts, format: VideoFormat): boolean {
  return format === 'webm' && video.isTurned
}
