/** The checks decode this many pixels in any case. If a film has no more than `whole`, as ten seconds of 360p, all pictures are compared. */
export const decoded = { inAnyCase: 24_000_000, whole: 72_000_000 } as const

/** Whether a film is so short that starting its decoders takes most of the time of its checks. */
export function isBrief(pictures: number): boolean {
  return pictures < 600
}

/** Pictures that follow each other, where they cost little. */
export const mostInStretch = 12

/** In a film of less than a minute, this many in each stretch would cost more than a hundredth of its rendering. */
const inStretch = { least: 6, share: 1 / 120 } as const

/** How many pictures in a row are looked at in each stretch of a film that has this many pictures. */
export function picturesInStretch(pictures: number): number {
  return Math.round(Math.min(mostInStretch, Math.max(inStretch.least, pictures * inStretch.share)))
}

/** How many pictures of a film the checks decode. `pixels`: of each picture. Of a copy, no film is so small that all are. */
export function picturesChecked(pictures: number, pixels: number, isCopy = false): number {
  if (pictures * pixels <= (isCopy ? decoded.inAnyCase : decoded.whole)) return pictures
  const inStretches = picturesInStretch(pictures) * (isBrief(pictures) ? 2 : 3)
  return Math.min(pictures, Math.max(inStretches, decoded.inAnyCase / pixels))
}
