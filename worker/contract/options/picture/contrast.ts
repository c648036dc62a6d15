/** Each channel from 0 to 255, and how opaque it is from 0 to 1. */
export type Color = {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly opacity: number
}

/** Reads `#RRGGBB` and `#RRGGBBAA`; the form has been checked. */
export function readColor(hex: string): Color {
  const at = (from: number): number => Number.parseInt(hex.slice(from, from + 2), 16)
  const opacity = hex.length > 7 ? at(7) / 255 : 1
  return { red: at(1), green: at(3), blue: at(5), opacity }
}

/** WCAG's luminance of an opaque colour, 0 … 1. */
export function luminance({ red, green, blue }: Color): number {
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
