import type { RgbPicture } from '../objects/object-model.ts'

/** One pixel in this many is compared, in each direction. */
const apart = 16
/** How much pixels change on average from one shot to the next, of 255. */
const leastChange = 20
/** How many times as much as just before: a camera that is swung round changes the picture all the time. */
const leastGrowth = 2

/** Tells for each of successive pictures whether it begins another shot. Adds to `changes` how much it differs from the last. */
export function cutDetector(changes: number[] = []): (picture: RgbPicture) => boolean {
  let last: RgbPicture | undefined
  return (picture) => {
    const before = changes.at(-1) ?? 0
    const change = last ? changeOf(last, picture) : 0
    last = picture
    changes.push(change)
    return change >= Math.max(leastChange, leastGrowth * before)
  }
}

/** How many times as much as before and after it: a camera that is swung round, and a flash, change more than one picture. */
const leastAlone = 2.4

/** Whether a shot certainly begins with the picture at this place, judged also by those after it. */
export function isSureCut(changes: readonly number[], at: number): boolean {
  const beside = Math.max(changes[at - 1] ?? 0, changes[at + 1] ?? 0)
  return (changes[at] ?? 0) >= Math.max(leastChange, leastAlone * beside)
}

function changeOf(before: RgbPicture, after: RgbPicture): number {
  let [sum, count] = [0, 0]
  for (let y = 0; y < after.height; y += apart) {
    for (let x = 0; x < after.width; x += apart) {
      const at = (y * after.width + x) * 3
      for (let plane = 0; plane < 3; plane++) {
        sum += Math.abs((after.pixels[at + plane] ?? 0) - (before.pixels[at + plane] ?? 0))
      }
      count += 3
    }
  }
  return sum / count
}
