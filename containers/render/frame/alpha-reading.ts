import type { VideoFacts } from '../../timeline/media-facts.ts'

/** ffmpeg's own decoders ignore the transparency of VP8 and VP9. */
export function alphaReading({ codec, hasAlpha: isTransparent }: VideoFacts): string[] {
  if (!isTransparent) return []
  const decoders: Record<string, string> = { vp8: 'libvpx', vp9: 'libvpx-vp9' }
  const decoder = decoders[codec]
  return decoder === undefined ? [] : ['-c:v', decoder]
}
