import type { Match } from './compare-on-grid.ts'
import type { Grid } from './picture-grid.ts'
import { medianOf } from '../../../numbers/mean.ts'

const grey = 128
/** Cells are coloured enough to tell how strong their colours are if they lie this far from grey. */
const leastColorful = 4
/** Fifty films that were right had 0.9 to 1.05 of the colours of their plan, and turned none by more than 3 degrees. */
const certain = { weaker: 0.8, stronger: 1.25, turned: 0.14, harder: 1.12 } as const
/** Of pictures that show the same in enough contrast. */
const leastAlike = { likeness: 0.97, contrast: 12 } as const

/** What is wrong with the colours or the contrast of pictures that show what was planned. */
export function offInLevels(grid: Grid, matches: readonly Match[]): string | undefined {
  const alike = matches.filter(({ likeness }) => likeness > leastAlike.likeness)
  if (alike.length * 2 <= matches.length) return undefined
  const colors = alike.flatMap((one) => colorsOf(grid, one) ?? [])
  if (colors.length * 2 > matches.length) {
    const strength = medianOf(colors.map((one) => one.strength))
    if (strength < certain.weaker) return 'Its colours are weaker than was planned'
    if (strength > certain.stronger) return 'Its colours are stronger than was planned'
    if (Math.abs(medianOf(colors.map((one) => one.turned))) > certain.turned)
      return 'Its colours have another tint than was planned'
  }
  const clear = alike.filter(({ contrast }) => contrast > leastAlike.contrast)
  if (clear.length * 2 <= matches.length) return undefined
  const gain = medianOf(clear.map((one) => (one.likeness * one.filmContrast) / one.contrast))
  if (gain > certain.harder) return 'It has more contrast than was planned'
  return gain < 1 / certain.harder ? 'It has less contrast than was planned' : undefined
}

/** How strong the colours of a picture are beside those of the plan, and how far they are turned from one to the next. */
function colorsOf({ width, height }: Grid, { film, planned }: Match) {
  const count = width * height
  let [all, along, aside] = [0, 0, 0]
  for (let u = count, v = 2 * count; u < 2 * count; u++, v++) {
    const [x, y] = [(planned[u] ?? grey) - grey, (planned[v] ?? grey) - grey]
    const [a, b] = [(film[u] ?? grey) - grey, (film[v] ?? grey) - grey]
    all += x * x + y * y
    along += a * x + b * y
    aside += b * x - a * y
  }
  if (all < count * leastColorful ** 2) return undefined
  return { strength: along / all, turned: aside / Math.max(1, along) }
}
