import {
  bytesOfCells,
  cellsAcross,
  cellsDown,
  findCuts,
} from '../../containers/insight/follow/find-cuts.ts'
import { filmSize } from './draw-scenes.ts'
import type { MadeFilm } from './films.ts'

/** How many boundaries of films were found, missed, and found where there is none. */
export type Score = { readonly found: number; readonly missed: number; readonly wrong: number }

/** A boundary counts as found this near to it. */
const nearSeconds = 0.17

export function scoreOf(cuts: readonly number[], { boundaries, fps }: MadeFilm): Score {
  const near = Math.max(1, Math.round(nearSeconds * fps))
  const left = [...cuts]
  let found = 0
  for (const { from, to } of boundaries) {
    const at = left.findIndex((cut) => cut >= from - near && cut <= to + near)
    if (at < 0) continue
    left.splice(at, 1)
    found += 1
  }
  return { found, missed: boundaries.length - found, wrong: left.length }
}

/** 1 if every boundary was found and nothing else. */
export function f1Of({ found, missed, wrong }: Score): number {
  return found + missed + wrong === 0 ? 1 : (2 * found) / (2 * found + missed + wrong)
}

export function sumOf(scores: readonly Score[]): Score {
  const sum = (of: keyof Score): number => scores.reduce((all, score) => all + score[of], 0)
  return { found: sum('found'), missed: sum('missed'), wrong: sum('wrong') }
}

export function ownCuts({ pictures, fps }: MadeFilm): number[] {
  const bytes = new Uint8Array(pictures.length * bytesOfCells)
  for (const [i, picture] of pictures.entries()) bytes.set(cellsOf(picture), i * bytesOfCells)
  return findCuts({ bytes, fps })
}

/** What ffmpeg makes of a picture: means of light and of two colours, in limited range. */
function cellsOf(picture: Uint8Array): Uint8Array {
  const cells = new Uint8Array(bytesOfCells)
  const light = means(picture, cellsAcross, cellsDown)
  const colors = means(picture, cellsAcross / 2, cellsDown / 2)
  cells.set(light.map(([r, g, b]) => 16 + 0.257 * r + 0.504 * g + 0.098 * b))
  const blue = colors.map(([r, g, b]) => 128 - 0.148 * r - 0.291 * g + 0.439 * b)
  const red = colors.map(([r, g, b]) => 128 + 0.439 * r - 0.368 * g - 0.071 * b)
  cells.set([...blue, ...red], light.length)
  return cells
}

function means(picture: Uint8Array, across: number, down: number): [number, number, number][] {
  const [wide, high] = [filmSize.width / across, filmSize.height / down]
  return Array.from({ length: across * down }, (_, cell) => {
    const sums: [number, number, number] = [0, 0, 0]
    const [left, top] = [(cell % across) * wide, Math.floor(cell / across) * high]
    for (let y = top; y < top + high; y++) {
      for (let at = (y * filmSize.width + left) * 3, end = at + wide * 3; at < end; at += 3) {
        sums[0] += picture[at] ?? 0
        sums[1] += picture[at + 1] ?? 0
        sums[2] += picture[at + 2] ?? 0
      }
    }
    return sums.map((sum) => sum / (wide * high)) as [number, number, number]
  })
}
