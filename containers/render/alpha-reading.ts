import type { VideoFacts } from '../timeline/media-facts.ts'

/** The decoders of ffmpeg itself leave the transparency of VP8 and VP9 aside. */
export function alphaReading({ codec, hasAlpha: isTransparent }: VideoFacts): string[] {
  if (!isTransparent) return []
  const decoders: Record<string, string> = { vp8: 'libvpx', vp9: 'libvpx-vp9' }
  const decoder = decoders[codec]
  return decoder === undefined ? [] : ['-c:v', decoder]
}
