import {
  transitionSeconds,
  type Transition,
} from '../../worker/contract/options/picture/transition.ts'
import type { Clip } from './clip.ts'
import { fpsOf } from './frame-rate.ts'
import { keptSpans, type FrameSpan } from './frame-spans.ts'
import { clipSpans, type Timeline } from './timeline.ts'

/**
 * A place where two kept parts of the timeline are shown at once: the last pictures of the part before it and the first
 * ones of the part behind it. The film is as many pictures shorter.
 */
export type Joint = {
  /** Where the part before it ends, and where the part behind it begins, in pictures of the raw timeline. */
  readonly from: number
  readonly to: number
  readonly frames: number
  readonly type: Exclude<Transition['type'], 'none'>
  readonly color: string
}

type JointRequest = {
  readonly timeline: Timeline
  readonly removed: readonly FrameSpan[]
  readonly clips: readonly Pick<Clip<'transition'>, 'asked'>[]
  readonly cutTransition: Transition | undefined
  /** As many pictures as may be held in memory. */
  readonly mostFrames: number
}

/**
 * Decides once where the parts of a film overlap, and for how long. Where a part is too short for the transitions at both of
 * its ends, they share it, so no picture belongs to two of them.
 */
export function decideJoints(request: JointRequest) {
  const wanted = wantedJoints(request)
  const share = sharesOf(splitAt(request, wanted), wanted)
  const joints: Joint[] = []
  const shortened: Blend[] = []
  for (const one of wanted) {
    const frames = Math.min(share(one), request.mostFrames)
    if (frames < one.frames) shortened.push({ ...one, frames })
    const { from, to, type, color } = one
    if (frames > 0) joints.push({ from, to, frames, type, color })
  }
  const warnings = [...idleWarnings(request, wanted), ...shortWarnings(request, wanted, shortened)]
  return { joints, warnings }
}

function idleWarnings(
  { cutTransition, removed, timeline }: JointRequest,
  wanted: readonly Blend[],
): string[] {
  const isIdle = cutTransition && wanted.every(({ field }) => field !== 'cutTransition')
  if (!isIdle || cutTransition.type === 'none') return []
  const why =
    keptSpans(removed, timeline.totalFrames).length > 1
      ? 'what is cut out lies only where a clip ends whose own transition counts'
      : 'nothing is cut out between two kept parts'
  return [`cutTransition: ${why}, so this did nothing.`]
}

type Blend = Joint & { readonly field: string; readonly seconds: number }

function wantedJoints({ timeline, removed, clips, cutTransition }: JointRequest): Blend[] {
  const fps = fpsOf(timeline.frameRate)
  const ends = clipSpans(timeline).map(({ to }) => to)
  const clipAt = (frame: number): number => ends.findIndex((end) => frame < end)
  const joint = (from: number, to: number): Blend[] => {
    const clip = clipAt(from - 1)
    const own = clipAt(to) === clip ? undefined : clips[clip]?.asked.transition
    const transition = own ?? (from < to ? cutTransition : undefined)
    if (!transition || transition.type === 'none') return []
    const { type, color = '#000000' } = transition
    const seconds = transitionSeconds(transition)
    const field = own ? `files[${clip}].transition` : 'cutTransition'
    return [
      { from, to, frames: Math.max(1, Math.round(seconds * fps)), type, color, field, seconds },
    ]
  }
  const kept = keptSpans(removed, timeline.totalFrames)
  return kept.flatMap((span, i) => {
    const within = ends.filter((end) => span.from < end && end < span.to)
    const next = kept[i + 1]
    return [...within.flatMap((end) => joint(end, end)), ...(next ? joint(span.to, next.from) : [])]
  })
}

/** The kept spans, divided where clips that follow each other directly overlap. */
function splitAt(
  { timeline, removed }: Pick<JointRequest, 'timeline' | 'removed'>,
  joints: readonly Pick<Joint, 'from' | 'to'>[],
): FrameSpan[] {
  const places = joints.filter(({ from, to }) => from === to).map(({ to }) => to)
  return keptSpans(removed, timeline.totalFrames).flatMap((span) => {
    const within = places.filter((place) => span.from < place && place < span.to)
    const starts = [span.from, ...within]
    return starts.map((from, i) => ({ from, to: starts[i + 1] ?? span.to }))
  })
}

/** The longest a transition may be so that it leaves room for those at the other ends of the parts it connects. */
function sharesOf(parts: readonly FrameSpan[], wanted: readonly Blend[]): (one: Blend) => number {
  const into = new Map(wanted.map(({ to, frames }) => [to, frames]))
  const outOf = new Map(wanted.map(({ from, frames }) => [from, frames]))
  const ofPart = (part: FrameSpan | undefined, frames: number): number => {
    if (!part) return 0
    const length = part.to - part.from
    const asked = (into.get(part.from) ?? 0) + (outOf.get(part.to) ?? 0)
    return asked <= length ? frames : Math.floor((length * frames) / asked)
  }
  const byStart = new Map(parts.map((part) => [part.from, part]))
  const byEnd = new Map(parts.map((part) => [part.to, part]))
  return ({ from, to, frames }) =>
    Math.min(frames, ofPart(byEnd.get(from), frames), ofPart(byStart.get(to), frames))
}

function shortWarnings(
  { timeline, mostFrames }: JointRequest,
  wanted: readonly Blend[],
  shortened: readonly Blend[],
): string[] {
  const fields = [...new Set(shortened.map(({ field }) => field))]
  return fields.map((field) => {
    const short = shortened.filter((one) => one.field === field)
    const all = wanted.filter((one) => one.field === field).length
    const isLarge = short.every(({ frames }) => frames === mostFrames)
    const why = isLarge
      ? 'pictures of this size take too much memory'
      : 'too little is kept beside it'
    const [{ frames = 0, seconds = 0 } = {}] = short
    const lasts = Number((frames / fpsOf(timeline.frameRate)).toFixed(3))
    if (all === 1) return `${field}: the transition lasts ${lasts} s, not ${seconds} s: ${why}.`
    return `${field}: ${short.length} of ${all} transitions are shorter than ${seconds} s: ${why}.`
  })
}

/** A kept part of the timeline, and how many of its first pictures are shown together with the last ones of the part before. */
export type KeptPiece = FrameSpan & { readonly overlap: number }

type JointPlaces = {
  readonly timeline: Timeline
  readonly removed: { readonly all: readonly FrameSpan[] }
  readonly joints: readonly Joint[]
}

/** What is kept of the timeline, in order: pieces follow each other directly but for their overlaps. */
export function keptPieces({ timeline, removed: { all }, joints }: JointPlaces): KeptPiece[] {
  const overlaps = new Map(joints.map(({ to, frames }) => [to, frames]))
  return splitAt({ timeline, removed: all }, joints).map((span) => ({
    ...span,
    overlap: overlaps.get(span.from) ?? 0,
  }))
}

/** Where a transition lies in the finished film. */
export type PlacedJoint = Joint & { readonly at: number }

export function placedJoints(joined: JointPlaces): PlacedJoint[] {
  const byStart = new Map(joined.joints.map((joint) => [joint.to, joint]))
  let before = 0
  return keptPieces(joined).flatMap(({ from, to, overlap }) => {
    const at = before - overlap
    before = at + to - from
    const joint = byStart.get(from)
    return joint ? [{ ...joint, at }] : []
  })
}

/** How many pictures are shown together with others. */
export function overlappingFrames(joints: readonly Pick<Joint, 'frames'>[]): number {
  return joints.reduce((sum, { frames }) => sum + frames, 0)
}
