import { z } from 'zod'
import type { Box } from '../../numbers/picture-box.ts'
import { areaOf, overlapOf } from '../objects/find-boxes.ts'

/** A face seen in a picture, from brows to chin; the sides of its box are shares of the picture. */
export type SeenFace = Box & {
  readonly score: number
  /** Whether a second model found a face there too, in this picture or in one up to a second away. */
  readonly isSure?: boolean | undefined
  /** Whether it was not checked, because a face is known to be there. */
  readonly isKnown?: boolean | undefined
}
export const seenFace: z.ZodType<SeenFace> = z.object({
  ...{ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() },
  ...{ score: z.number(), isSure: z.boolean().optional(), isKnown: z.boolean().optional() },
})

/** The answer of the model for cells of one size. */
export type FaceMap = {
  /** The side of a cell in pixels. */
  readonly step: number
  readonly guesses: number
  readonly columns: number
  readonly rows: number
  readonly scores: Float32Array
  readonly boxes: Float32Array
}

/** The numbers of each guess: the middle and the size of the box, and six points of the face. */
const numbersPerGuess = 16

/** Lower scores are not used. */
const minScore = 0.5

export function facesOf(
  { step, guesses, columns, rows, scores, boxes }: FaceMap,
  { width, height }: { readonly width: number; readonly height: number },
): SeenFace[] {
  const cells = columns * rows
  const faces: SeenFace[] = []
  for (let at = 0; at < guesses * cells; at++) {
    const score = 1 / (1 + Math.exp(-(scores[at] ?? 0)))
    if (score < minScore) continue
    const guess = Math.floor(at / cells)
    const cell = at % cells
    const number = (index: number) => boxes[(guess * numbersPerGuess + index) * cells + cell] ?? 0
    const middleX = ((cell % columns) + 0.5) * step + number(0)
    const middleY = (Math.floor(cell / columns) + 0.5) * step + number(1)
    faces.push({
      score,
      left: (middleX - number(2) / 2) / width,
      right: (middleX + number(2) / 2) / width,
      top: (middleY - number(3) / 2) / height,
      bottom: (middleY + number(3) / 2) / height,
    })
  }
  return faces
}

/** Boxes that share this much of the smaller one show the same face. */
const sameFace = 0.4

export function isSameFace(a: Box, b: Box): boolean {
  return sharedOfSmaller(a, b) > sameFace
}

/** Keeps the likeliest box of each face. */
export function oncePerFace(faces: readonly SeenFace[]): SeenFace[] {
  const kept: SeenFace[] = []
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    const at = kept.findIndex((other) => isSameFace(other, face))
    const known = kept[at]
    if (!known) kept.push(face)
    else if (face.isSure === true) {
      const isKnown = [known, face].every((one) => one.isSure !== true || one.isKnown === true)
      kept[at] = { ...known, isSure: true, isKnown: isKnown || undefined }
    }
  }
  return kept
}

export function sharedOfSmaller(a: Box, b: Box): number {
  return overlapOf(a, b) / Math.max(1e-9, Math.min(areaOf(a), areaOf(b)))
}
