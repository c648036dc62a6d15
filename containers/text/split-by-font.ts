import { lettersOf } from './clean-text.ts'
import type { Face, Lettering } from './font-shelf.ts'

/** Text in one font. */
export type FontRun = { readonly family: string; readonly text: string }

/** A piece of a line: what is drawn, and how wide it is, in sizes of the font. */
export type TextPiece = {
  readonly runs: readonly FontRun[]
  readonly width: number
  /** The letters that no font has; they are left out. */
  readonly missing: readonly string[]
}

/** Splits text into runs of one font each, and measures it. */
export function splitByFont(text: string, lettering: Lettering): TextPiece {
  const runs: { face: Face; text: string }[] = []
  const missing: string[] = []
  for (const letter of lettersOf(text)) {
    const last = runs.at(-1)
    // A blank, and punctuation that both fonts have, stays with the letters before it.
    const face = last?.face.has(letter) && isNeutral(letter) ? last.face : lettering.faceOf(letter)
    if (!face) missing.push(letter)
    else if (last?.face === face) last.text += letter
    else runs.push({ face, text: letter })
  }
  return {
    runs: runs.map(({ face, text: run }) => ({ family: face.family, text: run })),
    width: runs.reduce((sum, run) => sum + Math.max(0, run.face.widthOf(run.text)), 0),
    missing,
  }
}

function isNeutral(letter: string): boolean {
  return /^[\p{Zs}\p{P}]$/u.test(letter)
}
