/** The sides of a box, as shares of the picture. */
export type Box = {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A box on the way from one to another, of which this share is done. */
export function boxBetween(from: Box, to: Box, share: number): Box {
  const mix = (side: keyof Box): number => from[side] + share * (to[side] - from[side])
  return { left: mix('left'), top: mix('top'), right: mix('right'), bottom: mix('bottom') }
}
