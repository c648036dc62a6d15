import {
  contrastOf,
  luminance,
  type Color,
} from '../../worker/contract/options/picture/contrast.ts'

export const black: Color = { red: 0, green: 0, blue: 0, opacity: 1 }
export const white: Color = { red: 255, green: 255, blue: 255, opacity: 1 }

/** The contrast that WCAG asks of text. */
export const leastContrast = 4.5

/** Black or white, whichever stands out more: at least 4.5 to 1 from any colour. */
export function opposite(color: Color): Color {
  return contrastOf(color, black) >= contrastOf(color, white) ? black : white
}

/** The colour seen if one lies over an opaque other. */
function over(top: Color, bottom: Color): Color {
  const mix = (a: number, b: number): number => a * top.opacity + b * (1 - top.opacity)
  return {
    red: mix(top.red, bottom.red),
    green: mix(top.green, bottom.green),
    blue: mix(top.blue, bottom.blue),
    opacity: 1,
  }
}

/** The contrast of text on a box, over the picture that suits it least. */
export function contrastOnBox(text: Color, box: Color): number {
  const grounds = [black, white].map((picture) => over(box, picture))
  const [dark = 0, light = 0] = grounds.map(luminance)
  const own = luminance(text)
  // Some picture makes the box look exactly like the text.
  if (own >= dark && own <= light) return 1
  return Math.min(...grounds.map((ground) => contrastOf(over(text, ground), ground)))
}

/** The contrast of letters to their outline, on the picture that suits them least if it shines through them. */
export function contrastInOutline(text: Color): number {
  const outline = opposite(text)
  return Math.min(...[black, white].map((picture) => contrastOf(over(text, picture), outline)))
}
