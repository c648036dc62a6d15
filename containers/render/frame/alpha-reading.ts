import type { InputFile } from '../../graph/filter-graph.ts'
import type { VideoFacts } from '../../timeline/media-facts.ts'

/** ffmpeg's own decoders ignore the transparency of VP8 and VP9. */
const alphaDecoders: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' }

export function alphaReading({ codec, hasAlpha: isTransparent }: VideoFacts): string[] {
  const decoder = isTransparent ? alphaDecoders[codec] : undefined
  return decoder === undefined ? [] : ['-c:v', decoder]
}

/** Whether a file is read with the transparency of VP8 or VP9. */
export function readsAlpha({ reading }: Pick<InputFile, 'reading'>): boolean {
  return reading.some((option) => Object.values(alphaDecoders).includes(option))
}
