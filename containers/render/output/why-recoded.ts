import type { Clip } from '../../timeline/clip.ts'
import type { RenderOptions } from '../render-state.ts'

/** Why no picture is copied, however little is changed; undefined if the coding of the sources is as good as any. */
export function whyRecoded(
  clips: readonly Pick<Clip, 'facts'>[],
  { videoCodec, maxBitrate }: Pick<RenderOptions, 'videoCodec' | 'maxBitrate'>,
): string | undefined {
  if (maxBitrate !== undefined) return 'maxBitrate limits every second of it'
  const isOther = clips.some(({ facts }) => facts.video.codec !== videoCodec)
  return videoCodec !== undefined && isOther ? `its pictures become ${videoCodec}` : undefined
}
