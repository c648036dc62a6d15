import type { Stream } from '../../graph/filter-graph.ts'
import { pipe, pipeAll } from '../../graph/filter-graph.ts'
import { blendJoints, type PictureForm } from '../../timeline/blend-joints.ts'
import { stepExpression } from '../../timeline/keep-expression.ts'
import { placedJoints, type Joint } from '../../timeline/joints.ts'
import { firstPlace } from '../../../worker/contract/first-place.ts'
import { fileOf } from '../bits/packet-units.ts'
import type { CutSource, KeptPart, TransitionPictures, Places, Seam } from '../cut-model.ts'

/** The rate of pictures decoded for seams. Its value is irrelevant: times are assigned when the result is assembled. */
export const windowFps = 25

/** Pictures that are decoded in a row: as they are, or as the material of a transition. */
export type SeamPictures = Places | TransitionPictures

/** The pictures from which a seam is made. */
export function wantedAt(parts: readonly KeptPart[], { part, places }: Seam): SeamPictures {
  return parts[part]?.made ?? places
}

/** The pictures that have to be decoded, in the order in which `composed` takes them; no span reaches into another file. */
export function readsOf(
  source: Pick<CutSource, 'files' | 'shown'>,
  wanted: readonly SeamPictures[],
): Places[] {
  return wanted.flatMap((one) =>
    'joint' in one
      ? [one.before, one.behind].flatMap((side) => byFile(source, hullOf(side)))
      : [one],
  )
}

function hullOf(side: readonly number[]): Places {
  return { from: side[0] ?? 0, to: (side.at(-1) ?? -1) + 1 }
}

function byFile({ files, shown }: Pick<CutSource, 'files' | 'shown'>, places: Places): Places[] {
  const spans: Places[] = []
  let { from } = places
  const fileAt = (place: number): number => fileOf({ files }, shown.packets[place] ?? 0)
  for (let place = from + 1; place <= places.to; place++) {
    if (place < places.to && fileAt(place) === fileAt(from)) continue
    spans.push({ from, to: place })
    from = place
  }
  return spans
}

/** The wanted pictures from a stream with those of `readsOf`, numbered from zero. */
export function composed(
  picture: Stream<'video'>,
  wanted: readonly SeamPictures[],
  form: PictureForm | undefined,
): Stream<'video'> {
  const { steps, total, joints } = stepsOf(wanted)
  if (joints.length === 0 || !form) return picture
  const rate = { frames: windowFps, seconds: 1 }
  const timeline = { frameRate: rate, clipFrames: [total], totalFrames: total }
  return blendJoints(inSteps(picture, steps, total), {
    ...{ form, removed: [], totalFrames: total, rate, numbered: 'N' },
    joints: placedJoints({ timeline, removed: { all: [] }, joints }),
  })
}

/**
 * When each decoded picture begins to be shown, in steps of the steady rate; outside of transitions, a picture takes one step.
 * Of two with the same step, only the later one is seen.
 */
function stepsOf(wanted: readonly SeamPictures[]) {
  const steps: number[] = []
  const joints: Joint[] = []
  let total = 0
  for (const one of wanted) {
    if (!('joint' in one)) {
      for (let place = one.from; place < one.to; place++) steps.push(total++)
      continue
    }
    for (const side of [one.before, one.behind]) {
      const { from, to } = hullOf(side)
      for (let place = from; place < to; place++) {
        steps.push(total + firstPlace(side.length, (i) => (side[i] ?? 0) >= place))
      }
      total += side.length
    }
    const meet = total - one.joint.frames
    joints.push({ ...one.joint, from: meet, to: meet })
  }
  return { steps, total, joints }
}

/** Repeats pictures that are shown for several steps, and drops those that no step shows. */
function inSteps(picture: Stream<'video'>, steps: readonly number[], total: number) {
  if (steps.length === total && steps.every((step, i) => step === i)) return picture
  const moved = pipe(picture, 'setpts', { expr: laterBy(steps) })
  return pipeAll(moved, [
    ['fps', { fps: `${windowFps}/1`, start_time: 0 }],
    ['tpad', { stop_mode: 'clone', stop: total }],
    ['trim', { end_frame: total }],
  ])
}

/** The number of each picture and by how much it comes later. */
function laterBy(steps: readonly number[]): string {
  const changes = steps.flatMap((step, i) =>
    i === 0 || step - i !== (steps[i - 1] ?? 0) - (i - 1) ? [{ at: i, later: step - i }] : [],
  )
  return stepExpression(
    changes.length - 1,
    (i) => `gt(${changes[i + 1]?.at ?? 0},N)`,
    (i) => `N+(${changes[i]?.later ?? 0})`,
  )
}
