import type { Packets } from '../../ffmpeg/measure-packing.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import type { Joint } from '../../timeline/joints.ts'
import { firstPlace } from '../../../worker/contract/first-place.ts'
import type { KeptPart, ShownOrder } from '../cut-model.ts'

export function shownPictures({ shownAt, hidden }: Packets): ShownOrder {
  const all = new Uint32Array(shownAt.length)
  let count = 0
  hidden.forEach((one, packet) => {
    if (one === 0) all[count++] = packet
  })
  const packets = all.subarray(0, count)
  const comesBefore = (a = 0, b = 0): number => (shownAt[a] ?? 0) - (shownAt[b] ?? 0) || a - b
  // Sorting takes a copy, which is not needed for pictures that are stored in order.
  if (packets.some((packet, i) => i > 0 && comesBefore(packets[i - 1], packet) > 0)) {
    packets.sort(comesBefore)
  }
  const places = new Int32Array(shownAt.length).fill(-1)
  packets.forEach((packet, place) => (places[packet] = place))
  return { packets, places }
}

/** A stretch of the result: kept pictures of the timeline, or a transition. */
export type KeptStretch = FrameSpan | Joint

type OnGrid = {
  readonly frameRate: FrameRate
  /** Where each clip begins on the timeline, in pictures. */
  readonly clipStarts: readonly number[]
}

/**
 * Finds the pictures that an encode would keep: each belongs to the nearest step of the steady rate in which cuts are counted.
 * A picture that is still on screen when a cut ends is shown from there on.
 */
export function keptParts(
  { shownAt }: Pick<Packets, 'shownAt'>,
  { packets }: ShownOrder,
  stretches: readonly KeptStretch[],
  { frameRate, clipStarts }: OnGrid,
): KeptPart[] {
  const fps = fpsOf(frameRate)
  const stepOf = (place: number): number => Math.round((shownAt[packets[place] ?? 0] ?? 0) * fps)
  const firstFrom = (step: number): number =>
    firstPlace(packets.length, (place) => stepOf(place) >= step)
  /** The picture on screen at a step, unless it belongs to the clip before. */
  const standingAt = (step: number): number => {
    const clipStart = clipStarts.findLast((start) => start <= step) ?? 0
    return Math.max(firstFrom(step + 1) - 1, firstFrom(clipStart))
  }
  const standing = (from: number, frames: number): number[] =>
    Array.from({ length: frames }, (_, i) => standingAt(from + i))
  let framesBefore = 0
  let hasPictures = false
  let shownTo = 0
  return stretches.map((stretch): KeptPart => {
    const startSeconds = framesBefore / fps
    if ('frames' in stretch) {
      const { from, to, frames } = stretch
      const before = standing(from - frames, frames)
      const behind = standing(to, frames)
      const made = { joint: stretch, before, behind, stepSeconds: 1 / fps }
      hasPictures = true
      shownTo = Math.max(shownTo, behind.at(-1) ?? 0)
      framesBefore += frames
      const places = { from: 0, to: frames, earlierSeconds: 0, isHeld: false }
      return { ...places, startSeconds, endSeconds: framesBefore / fps, made }
    }
    const { from, to } = stretch
    const first = firstFrom(from)
    const end = firstFrom(to)
    const begins = first < end && stepOf(first) === from
    // The picture on screen when the cut begins stays on screen.
    const beginsClip = clipStarts.includes(from)
    const stands = !begins && !beginsClip && first > shownTo
    const start = stands ? first - 1 : first
    // Before the very first picture there is nothing to show. If a file begins with sound, that picture comes a little later.
    const isFirst = !hasPictures && start < end
    hasPictures ||= isFirst
    const earlierSeconds = (from - framesBefore) / fps
    // A clip whose sound begins earlier shows its first picture until that would come.
    const isEarlier = beginsClip && !begins && start < end
    const isHeld = stands || isFirst || isEarlier
    shownTo = Math.max(shownTo, end)
    framesBefore += to - from
    const endSeconds = framesBefore / fps
    const begin = isFirst ? 0 : startSeconds
    return { from: start, to: end, earlierSeconds, startSeconds: begin, endSeconds, isHeld }
  })
}

/** When a picture of a kept part is shown in the result. */
export function timeInResult(
  { shownAt }: Pick<Packets, 'shownAt'>,
  { packets }: ShownOrder,
  part: KeptPart,
  place: number,
): number {
  if (part.made) return part.startSeconds + place * part.made.stepSeconds
  if (part.isHeld && place === part.from) return part.startSeconds
  const at = (shownAt[packets[place] ?? 0] ?? 0) - part.earlierSeconds
  // The first picture may come slightly before the step that it belongs to.
  return Math.max(part.startSeconds, at)
}
