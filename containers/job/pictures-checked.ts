/** So many pixels are decoded in any case: all pictures of a film that has no more. */
export const decoded = { wholePixels: 24_000_000 } as const

/** Starting a decoder, and all else that does not grow with a film, takes most of the checks of a film of so few pictures. */
export function isBrief(pictures: number): boolean {
  return pictures < 600
}

/** Pictures that follow each other, where they cost little. */
export const mostInStretch = 12

/** In a brief film, this many in each stretch would cost more than a hundredth of its rendering. */
const inStretch = { least: 6, share: 1 / 60 } as const

/** How many pictures in a row are looked at in each stretch of a film that has this many pictures. */
export function picturesInStretch(pictures: number): number {
  return Math.round(Math.min(mostInStretch, Math.max(inStretch.least, pictures * inStretch.share)))
}

/** How many pictures of a film that has as many pixels in each are decoded. */
export function picturesChecked(pictures: number, pixels: number): number {
  const inStretches = picturesInStretch(pictures) * (isBrief(pictures) ? 2 : 3)
  return Math.min(pictures, Math.max(inStretches, decoded.wholePixels / pixels))
}
