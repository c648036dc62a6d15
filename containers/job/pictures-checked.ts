/** How much of a film is decoded for its checks in any case: pictures of three stretches, or all if they have so few pixels. */
export const decoded = { pictures: 12, stretches: 3, wholePixels: 90_000_000 } as const

/** How many pictures of a film that has as many pixels in each. */
export function picturesChecked(pixels: number): number {
  return Math.max(decoded.pictures * decoded.stretches, decoded.wholePixels / pixels)
}
