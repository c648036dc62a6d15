import type { Clip } from '../../timeline/clip.ts'
import type { RenderOptions } from '../render-state.ts'

/** Says why the pictures have to be encoded even if nothing else changes them. Undefined if they may stay as they are coded. */
export function whyRecoded(
  clips: readonly Pick<Clip, 'facts'>[],
  { videoCodec, maxBitrate }: Pick<RenderOptions, 'videoCodec' | 'maxBitrate'>,
): string | undefined {
  if (maxBitrate !== undefined) return 'maxBitrate limits every second of it'
  const isOther = clips.some(({ facts }) => facts.video.codec !== videoCodec)
  return videoCodec !== undefined && isOther ? `its pictures become ${videoCodec}` : undefined
}
