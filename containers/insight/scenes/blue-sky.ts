import { gridSide, type Look } from '../frames/look-of-picture.ts'

/**
 * The upper part must be nearly all blue and the lower part hardly at all; otherwise the blue may be water or a wall.
 */
const shares = { above: 0.8, below: 0.25 }
const third = gridSide / 3

/** Only for a picture that was taken outdoors by day. */
export function showsBlueSky(look: Look): boolean {
  return (
    blueShare(look, { from: 0, to: third }) >= shares.above &&
    blueShare(look, { from: gridSide - third, to: gridSide }) <= shares.below
  )
}

function blueShare({ signature }: Look, { from, to }: { from: number; to: number }): number {
  let blue = 0
  for (let cell = from * gridSide; cell < to * gridSide; cell++) {
    const [red = 0, green = 0, blueness = 0] = signature.subarray(cell * 3, cell * 3 + 3)
    if (isSkyBlue(red, green, blueness)) blue++
  }
  return blue / ((to - from) * gridSide)
}

/** Excludes turquoise and violet, and clouds in the shade, which are slightly blue too. */
function isSkyBlue(red: number, green: number, blue: number): boolean {
  return blue >= 90 && blue - red >= 40 && blue >= green && green >= red
}
