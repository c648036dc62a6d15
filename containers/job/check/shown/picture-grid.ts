/** The number of cells in a small copy of a picture. Each cell is the mean of the pixels in it. */
export type Grid = { readonly width: number; readonly height: number }

const mostCells = 96
/** A cell is so large that an encoder hardly changes its mean; the cells of small pictures are smaller. */
const leastPixels = { usual: 4, inSmall: 2 } as const
const leastCells = 12

/** Whether pictures are so small that an encoder changes what little detail they have. */
export function isTiny({ width, height }: Grid): boolean {
  return Math.min(width, height) < leastCells * leastPixels.inSmall
}

export function gridFor({ width, height }: Grid): Grid {
  const scale = Math.min(mostCells / Math.max(width, height), 1 / leastPixels.usual)
  const cells = (side: number): number =>
    Math.max(Math.min(Math.ceil(side / leastPixels.inSmall), leastCells), Math.round(side * scale))
  return { width: cells(width), height: cells(height) }
}

/** Splits bytes into pictures with the brightness and both colours of each cell, one plane after the other. */
export function picturesOn(grid: Grid, bytes: Buffer = Buffer.alloc(0)): Buffer[] {
  const size = grid.width * grid.height * 3
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  )
}
