/** The checks decode this many pixels in any film. With no more than `whole`, as in ten seconds of 360p, they decode it all. */
export const decoded = { inAnyCase: 24_000_000, whole: 72_000_000 } as const

/** Whether a film is so short that starting its decoders takes most of the time of its checks. */
export function isBrief(pictures: number): boolean {
  return pictures < 600
}

/** How many consecutive pictures are examined in each stretch, where that costs little. */
export const mostInStretch = 12

/** In a film of less than a minute, that many would cost more than a hundredth of its rendering. */
const inStretch = { least: 6, share: 1 / 120 } as const

/** How many consecutive pictures are examined in each stretch of a film with this many pictures. */
export function picturesInStretch(pictures: number): number {
  return Math.round(Math.min(mostInStretch, Math.max(inStretch.least, pictures * inStretch.share)))
}

/** How many pictures of a film the checks decode. `pixels`: of each picture. A copy is never decoded as a whole. */
export function picturesChecked(pictures: number, pixels: number, isCopy = false): number {
  if (pictures * pixels <= (isCopy ? decoded.inAnyCase : decoded.whole)) return pictures
  const inStretches = picturesInStretch(pictures) * (isBrief(pictures) ? 2 : 3)
  return Math.min(pictures, Math.max(inStretches, decoded.inAnyCase / pixels))
}
