/** The luma of one picture, line by line. */
export type LumaPicture = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/**
 * What the even and odd lines of a picture and its neighbours show where something moves. It counts blocks, so that more motion
 * counts more, while a strong pattern in one place counts no more than a weak one.
 */
export type FieldMotion = {
  /** Blocks that contain motion. */
  readonly blocks: number
  /** Blocks without combs that would have combs if the odd lines came from a neighbouring picture. */
  readonly whole: number
  /** Blocks whose even lines match the odd lines of a neighbouring picture far better than their own. */
  readonly mixed: number
  /**
   * Summed over the blocks with combs, −1 … 1 each: whether the odd lines of the previous picture would make fewer
   * combs than those of the next one.
   */
  readonly lean: number
}

export const noMotion: FieldMotion = { blocks: 0, whole: 0, mixed: 0, lean: 0 }

const blockWidth = 16
/** Counted in lines of one field. */
const blockHeight = 8
const blockPixels = blockWidth * blockHeight
/** Noise makes combs too; on average they are as high as `noise`. */
const leastChange = 2 * blockPixels
const leastCombs = 1.5 * blockPixels
const noise = 0.5 * blockPixels
const farBetter = 2

export function fieldMotion(
  before: LumaPicture,
  picture: LumaPicture,
  after: LumaPicture,
): FieldMotion {
  const across = Math.floor(picture.width / blockWidth)
  const down = Math.floor((picture.height / 2 - 1) / blockHeight)
  let sum = noMotion
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const first = y * blockHeight * 2 * picture.width + x * blockWidth
      const at = { width: picture.width, first }
      const combsWith = (odd: LumaPicture): number => combsIn(picture.pixels, odd.pixels, at)
      sum = addMotion(sum, motionOf(combsWith(picture), combsWith(before), combsWith(after)))
    }
  }
  return sum
}

export function addMotion(a: FieldMotion, b: FieldMotion): FieldMotion {
  return {
    blocks: a.blocks + b.blocks,
    whole: a.whole + b.whole,
    mixed: a.mixed + b.mixed,
    lean: a.lean + b.lean,
  }
}

/**
 * The height of the combs between the even lines of one picture and the odd lines of another: lines that are lighter,
 * or darker, than both of their neighbours. At an edge of an object a line is neither.
 */
function combsIn(even: Uint8Array, odd: Uint8Array, at: { width: number; first: number }): number {
  const { width, first } = at
  let sum = 0
  for (let line = 0; line < blockHeight; line++) {
    const above = first + line * 2 * width
    for (let i = above; i < above + blockWidth; i++) {
      const between = odd[i + width] ?? 0
      const up = between - (even[i] ?? 0)
      const down = between - (even[i + 2 * width] ?? 0)
      if (up > 0 && down > 0) sum += Math.min(up, down)
      else if (up < 0 && down < 0) sum -= Math.max(up, down)
    }
  }
  return sum
}

function motionOf(own: number, before: number, after: number): FieldMotion {
  const better = Math.min(before, after)
  if (Math.max(own, before, after) - Math.min(own, better) <= leastChange) return noMotion
  const lean = Math.max(-1, Math.min(1, Math.log2((after + noise) / (before + noise))))
  return {
    blocks: 1,
    whole: own * farBetter < better ? 1 : 0,
    mixed: better * farBetter < own ? 1 : 0,
    lean: own > leastCombs ? lean : 0,
  }
}
