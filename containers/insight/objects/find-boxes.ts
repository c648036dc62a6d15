import { labels, type Label } from './labels.ts'
import type { Box } from '../../numbers/picture-box.ts'

/** An object seen in a picture. */
export type SeenObject = Box & { readonly label: Label; readonly score: number }

/**
 * The answer of the model: for each cell of 4 × 4 pixels, how likely each label has its centre there, and the size of
 * the box.
 */
type HeatMap = {
  readonly width: number
  readonly height: number
  readonly scores: Float32Array
  readonly sides: Float32Array
}

const cellPixels = 4

/** Boxes of one label that share this much of their area count as one thing. */
const sameOverlap = 0.45

export function findBoxes(map: HeatMap, minScore: number): SeenObject[] {
  const found = labels.flatMap((label, channel) => peaksOf(map, { label, channel, minScore }))
  found.sort((a, b) => b.score - a.score)
  const kept: SeenObject[] = []
  for (const box of found) {
    if (!kept.some((other) => other.label === box.label && sharedArea(other, box) > sameOverlap)) {
      kept.push(box)
    }
  }
  return kept
}

type PeakSearch = { label: Label; channel: number; minScore: number }

function peaksOf(map: HeatMap, { label, channel, minScore }: PeakSearch): SeenObject[] {
  const { width, height, scores } = map
  const start = channel * width * height
  const peaks: SeenObject[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const score = scores[start + y * width + x] ?? 0
      if (score >= minScore && isPeak(map, { start, x, y, score })) {
        peaks.push({ label, score, ...boxAt(map, x, y) })
      }
    }
  }
  return peaks
}

type Cell = { start: number; x: number; y: number; score: number }

function isPeak({ width, height, scores }: HeatMap, { start, x, y, score }: Cell): boolean {
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      if ((scores[start + row * width + column] ?? 0) > score) return false
    }
  }
  return true
}

function boxAt({ width, height, sides }: HeatMap, x: number, y: number) {
  const side = (channel: number): number =>
    (sides[channel * width * height + y * width + x] ?? 0) / cellPixels
  return {
    left: (x - side(0)) / width,
    top: (y - side(1)) / height,
    right: (x + side(2)) / width,
    bottom: (y + side(3)) / height,
  }
}

/** The share of their joint area that two boxes have in common. */
export function sharedArea(a: Box, b: Box): number {
  const shared = overlapOf(a, b)
  return shared / Math.max(1e-9, areaOf(a) + areaOf(b) - shared)
}

/** The area that two boxes have in common. */
export function overlapOf(a: Box, b: Box): number {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return Math.max(0, across) * Math.max(0, down)
}

export function areaOf({ left, top, right, bottom }: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}
