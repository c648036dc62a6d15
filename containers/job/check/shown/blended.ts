import { meanOff } from './compare-on-grid.ts'
import type { Grid } from './picture-grid.ts'

/** Steps of brightness by which neighbouring pictures of the plan have to differ in the mean. */
const leastStep = 1
/** What share of the next picture is in it, and how much of the difference that explains. */
const blended = { least: 0.3, most: 0.7, rest: 0.5 } as const
const share = 0.6
const leastTold = 3

/** Whether most pictures are a mix of two that follow each other in the plan. */
export function areBlended(
  { width, height }: Grid,
  film: readonly Buffer[],
  planned: readonly Buffer[],
): boolean {
  const cells = width * height
  const told = film.flatMap((one) => {
    const off = planned.map((due) => meanOff(one, due, 0, cells))
    const best = off.indexOf(Math.min(...off))
    const own = planned[best]
    const beside = [planned[best - 1], planned[best + 1]].filter((due) => due !== undefined)
    if (!own || beside.length < 2) return []
    if (beside.some((due) => meanOff(own, due, 0, cells) < leastStep)) return []
    return [beside.some((due) => isMixOf(one, [own, due], cells))]
  })
  return told.length >= leastTold && told.filter(Boolean).length > share * told.length
}

function isMixOf(film: Buffer, [own, other]: readonly [Buffer, Buffer], cells: number): boolean {
  let [step, both, off] = [0, 0, 0]
  for (let i = 0; i < cells; i++) {
    const by = (other[i] ?? 0) - (own[i] ?? 0)
    const from = (film[i] ?? 0) - (own[i] ?? 0)
    step += by * by
    both += by * from
    off += from * from
  }
  const part = both / Math.max(1, step)
  const rest = (off - part * both) / Math.max(1, off)
  return part > blended.least && part < blended.most && rest < blended.rest
}
