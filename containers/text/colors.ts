/** Each channel from 0 to 255, and how opaque it is from 0 to 1. */
export type Color = {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly opacity: number
}

export const black: Color = { red: 0, green: 0, blue: 0, opacity: 1 }
export const white: Color = { red: 255, green: 255, blue: 255, opacity: 1 }

/** Reads `#RRGGBB` and `#RRGGBBAA`; the contract has checked the form. */
export function readColor(hex: string): Color {
  const at = (from: number): number => Number.parseInt(hex.slice(from, from + 2), 16)
  const opacity = hex.length > 7 ? at(7) / 255 : 1
  return { red: at(1), green: at(3), blue: at(5), opacity }
}

/** WCAG's luminance of an opaque colour, 0 … 1. */
function luminance({ red, green, blue }: Color): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG's contrast of two opaque colours, 1 … 21. */
export function contrastOf(one: Color, other: Color): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

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
