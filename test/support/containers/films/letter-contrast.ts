import { contrastOf } from '../../../../worker/contract/options/picture/contrast.ts'
import { colorDistance, type Frame, type Rgb } from './frame-pixels.ts'

const near = 40
/** The edge of a letter and what surrounds it lie this close together. */
const reach = 3

type Place = readonly [x: number, y: number]

/**
 * The contrasts at the edges of letters of a colour, each to what suits it best nearby. What is connected with the corner and
 * looks like it is the picture, so that letters are found even on a picture of their own colour.
 */
export function letterContrasts(frame: Frame, letters: Rgb): number[] {
  const picture = pictureOf(frame)
  const isLetter = ([x, y]: Place): boolean =>
    !picture.has(y * frame.width + x) && colorDistance(frame.at(x, y), letters) < near
  const contrasts: number[] = []
  for (let y = reach; y < frame.height - reach; y++) {
    for (let x = reach; x < frame.width - reach; x++) {
      if (!isLetter([x, y]) || around([x, y], 1).every(isLetter)) continue
      const own = colorOf(frame.at(x, y))
      const found = around([x, y], reach).map((at) => contrastOf(own, colorOf(frame.at(...at))))
      contrasts.push(Math.max(...found))
    }
  }
  return contrasts
}

function pictureOf(frame: Frame): ReadonlySet<number> {
  const { width, height } = frame
  const corner = frame.at(0, 0)
  const seen = new Set([0])
  for (const at of seen) {
    const [x, y] = [at % width, Math.floor(at / width)]
    for (const [nextX, nextY] of around([x, y], 1)) {
      const isInside = nextX >= 0 && nextX < width && nextY >= 0 && nextY < height
      if (isInside && colorDistance(frame.at(nextX, nextY), corner) < near) {
        seen.add(nextY * width + nextX)
      }
    }
  }
  return seen
}

function around([x, y]: Place, distance: number): Place[] {
  const steps = Array.from({ length: 2 * distance + 1 }, (_, i) => i - distance)
  return steps.flatMap((down) => steps.map((across): Place => [x + across, y + down]))
}

const colorOf = ([red, green, blue]: Rgb) => ({ red, green, blue, opacity: 1 })
