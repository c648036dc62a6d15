import type { VideoFacts } from '../../timeline/media-facts.ts'

/** ffmpeg's own decoders ignore the transparency of VP8 and VP9. */
export const alphaDecoders: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' }

export function alphaReading({ codec, hasAlpha: isTransparent }: VideoFacts): string[] {
  const decoder = isTransparent ? alphaDecoders[codec] : undefined
  return decoder === undefined ? [] : ['-c:v', decoder]
}
