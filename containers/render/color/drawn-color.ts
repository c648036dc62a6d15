import type { Color } from '../../text/colors.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'

/** What each matrix takes of red and blue for the brightness. */
const weights: Record<ColorMatrix, { red: number; blue: number }> = {
  bt601: { red: 0.299, blue: 0.114 },
  bt709: { red: 0.2126, blue: 0.0722 },
  bt2020: { red: 0.2627, blue: 0.0593 },
}

/**
 * The colour to ask for so that this one is seen: ffmpeg 5.1 draws subtitles with the matrix of BT.601 on every
 * picture. Strong colours can be off a little, because not every pair of matrices has the same range.
 */
export function drawnColor(color: Color, matrix: ColorMatrix): Color {
  if (matrix === 'bt601') return color
  const { red, blue } = weights[matrix]
  const brightness = red * color.red + (1 - red - blue) * color.green + blue * color.blue
  const toBlue = (color.blue - brightness) / (2 - 2 * blue)
  const toRed = (color.red - brightness) / (2 - 2 * red)
  const { red: r, blue: b } = weights.bt601
  const asRed = brightness + (2 - 2 * r) * toRed
  const asBlue = brightness + (2 - 2 * b) * toBlue
  const asGreen = (brightness - r * asRed - b * asBlue) / (1 - r - b)
  const inRange = (value: number): number => Math.min(255, Math.max(0, value))
  return { ...color, red: inRange(asRed), green: inRange(asGreen), blue: inRange(asBlue) }
}
