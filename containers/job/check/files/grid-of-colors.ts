import type { Grid } from '../shown/picture-grid.ts'

/** BT.601 in limited range, into which programs change the colours of screens. */
const toBrightness = [16, 65.738 / 256, 129.057 / 256, 25.064 / 256] as const
const toBlue = [128, -37.945 / 256, -74.494 / 256, 112.439 / 256] as const
const toRed = [128, 112.439 / 256, -94.154 / 256, -18.285 / 256] as const

/** A picture in red, green, blue and opacity as brightness and both colours of each cell. */
export function gridOfColors(picture: Buffer, size: Grid, grid: Grid): Buffer {
  const cells = grid.width * grid.height
  const sums = [0, 1, 2].map(() => new Float64Array(cells))
  const counts = new Float64Array(cells)
  for (let y = 0; y < size.height; y++) {
    const row = Math.floor((y * grid.height) / size.height) * grid.width
    for (let x = 0; x < size.width; x++) {
      const cell = row + Math.floor((x * grid.width) / size.width)
      const at = (y * size.width + x) * 4
      counts[cell] = (counts[cell] ?? 0) + 1
      for (const [i, sum] of sums.entries()) sum[cell] = (sum[cell] ?? 0) + (picture[at + i] ?? 0)
    }
  }
  const small = Buffer.alloc(cells * 3)
  for (let cell = 0; cell < cells; cell++) {
    const colors = sums.map((sum) => (sum[cell] ?? 0) / Math.max(1, counts[cell] ?? 0))
    for (const [plane, [none, ...shares]] of [toBrightness, toBlue, toRed].entries()) {
      const value = shares.reduce((sum, share, i) => sum + share * (colors[i] ?? 0), none)
      small[plane * cells + cell] = Math.round(value)
    }
  }
  return small
}
