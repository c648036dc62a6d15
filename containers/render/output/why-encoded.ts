import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { canCopyVideo, losesTurn } from '../../cuts/plan/copied-codecs.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { RenderOptions } from '../render-state.ts'

/** Says why the pictures have to be encoded even if no option changes them. Undefined if they may stay as they are. */
export function whyRecoded(
  clips: readonly Pick<Clip, 'facts'>[],
  { videoCodec, maxBitrate }: Pick<RenderOptions, 'videoCodec' | 'maxBitrate'>,
): string | undefined {
  if (maxBitrate !== undefined) return 'maxBitrate limits every second of it'
  const isOther = clips.some(({ facts }) => facts.video.codec !== videoCodec)
  return videoCodec !== undefined && isOther ? `its pictures become ${videoCodec}` : undefined
}

/** Names the options that change more about the pictures than which of them are shown. */
export function sayChanges(options: readonly string[]): string {
  const [last, ...others] = options.toReversed()
  if (last === undefined) return 'its pictures are brought into another form'
  if (others.length === 0) return `${last} changes its pictures`
  return `${others.reverse().join(', ')} and ${last} change its pictures`
}

/** Says why unchanged pictures cannot be copied into a file of this format; undefined if they can. */
export function whyNotStored(facts: MediaFacts, format: VideoFormat): string | undefined {
  if (canCopyVideo(facts, format)) return undefined
  if (losesTurn(facts, format)) return `${format} cannot say how its pictures are turned`
  return `${facts.video.codec} of ${facts.format} files is not copied into ${format}`
}
