import { filmSize } from './draw-scenes.ts'

/** As published: https://www.scenedetect.com/docs/latest/api/detectors.html, AdaptiveDetector with its defaults. */
const adaptiveThreshold = 3
const leastContent = 15
const leastShot = 15
const window = 2

/** The pictures with which PySceneDetect's AdaptiveDetector says that shots begin. */
export function adaptiveCuts(pictures: readonly Uint8Array[]): number[] {
  const scores: number[] = []
  let before: Float32Array | undefined
  for (const picture of pictures) {
    const now = hueSaturationLight(picture)
    scores.push(before ? meanDifference(before, now) : 0)
    before = now
  }
  const cuts: number[] = []
  let last = 0
  for (let at = window; at + window < scores.length; at++) {
    const score = scores[at] ?? 0
    const around = [-2, -1, 1, 2].reduce((sum, step) => sum + (scores[at + step] ?? 0), 0) / 4
    const ratio = around < 1e-5 ? (score >= leastContent ? 255 : 0) : Math.min(255, score / around)
    if (ratio < adaptiveThreshold || score < leastContent || at - last < leastShot) continue
    cuts.push(at)
    last = at
  }
  return cuts
}

/** The three of each pixel, in the ranges that OpenCV gives them in 8 bits: 180, 256, 256. */
function hueSaturationLight(rgb: Uint8Array): Float32Array {
  const values = new Float32Array(rgb.length)
  for (let at = 0; at < rgb.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = [rgb[at], rgb[at + 1], rgb[at + 2]]
    const most = Math.max(red, green, blue)
    const range = most - Math.min(red, green, blue)
    const turn =
      most === red
        ? (green - blue) / range
        : most === green
          ? 2 + (blue - red) / range
          : 4 + (red - green) / range
    values[at] = range === 0 ? 0 : Math.round((turn * 30 + 180) % 180)
    values[at + 1] = most === 0 ? 0 : Math.round((255 * range) / most)
    values[at + 2] = most
  }
  return values
}

function meanDifference(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0))
  return sum / (3 * filmSize.width * filmSize.height)
}
