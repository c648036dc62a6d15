import type { Request } from './build-request.ts'

type Size = { width: number; height: number }

/** How the preview shows where captions will be; lengths in per cent of the frame's height. */
export type CaptionSample = {
  style: 'plain' | 'box' | 'karaoke'
  place: 'top' | 'middle' | 'bottom'
  letters: number
  top: number
  bottom: number
  color: string
  highlight: string
  box: string
}

/**
 * The look of captions in a frame, as the media worker plans it: the size of the letters, and the edges that apps and
 * televisions leave free. Undefined if no captions are drawn.
 */
export function sampleCaptions(full: Request, { width, height }: Size): CaptionSample | undefined {
  const captions = full['captions'] as Request | undefined
  if (typeof captions !== 'object') return undefined
  const { embed, burn = embed !== true } = captions
  if (burn !== true) return undefined
  const text = (name: string, usual: string) => {
    const value = captions[name]
    return typeof value === 'string' ? value : usual
  }
  const style = oneOf(['plain', 'box', 'karaoke'], captions['style']) ?? 'plain'
  const ratio = width / height
  const color = text('color', '#FFFFFF')
  return {
    style,
    place: oneOf(['top', 'middle', 'bottom'], captions['position']) ?? 'bottom',
    letters: lettersOf(captions['size'], { width, height }),
    ...marginsOf(ratio),
    color,
    highlight: text('highlight', style === 'karaoke' ? '#FFE100' : color),
    box: text('background', style === 'box' ? '#000000C0' : 'transparent'),
  }
}

function oneOf<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given)
}

function marginsOf(ratio: number): { top: number; bottom: number } {
  if (ratio < 0.65) return { top: 12, bottom: 20 }
  return ratio < 0.95 ? { top: 10, bottom: 14 } : { top: 8, bottom: 8 }
}

/** Of the shorter side; taller frames are held closer. */
function lettersOf(size: unknown, { width, height }: Size): number {
  const percent = typeof size === 'string' ? Number.parseFloat(size) : NaN
  if (Number.isFinite(percent)) return percent
  if (typeof size === 'number') return (size / height) * 100
  const ratio = width / height
  const share = ratio < 0.95 ? 0.068 : ratio < 1.2 ? 0.058 : 0.054
  return (Math.min(width, height) * share * 100) / height
}
