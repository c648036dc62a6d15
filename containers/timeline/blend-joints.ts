import { connect, pipe, pipeAll, type Stream } from '../graph/filter-graph.ts'
import { fpsOf, rateText, type FrameRate } from './frame-rate.ts'
import { mergeSpans, type FrameSpan } from './frame-spans.ts'
import type { Joint, PlacedJoint } from './joints.ts'
import { keepExpression, stepExpression } from './keep-expression.ts'

type Picture = Stream<'video'>
export type Yuv = { readonly y: number; readonly u: number; readonly v: number }

/** How the pictures are stored from which a transition is made. */
export type PictureForm = {
  /** Which direction in the stored picture is left on the screen. */
  readonly left: { readonly axis: 'x' | 'y'; readonly sign: 1 | -1 }
  /** The form of pixels in which `overlay` works. */
  readonly overlayFormat: string
  /** A colour in the values of the pictures. */
  readonly colorOf: (color: string) => Yuv
}

/** An upright picture in 8-bit 4:2:0. */
export const uprightForm = {
  left: { axis: 'x', sign: -1 },
  overlayFormat: 'yuv420',
} as const satisfies Partial<PictureForm>

type BlendRequest = {
  readonly form: PictureForm
  /** The pictures of the stream that are left out besides the transitions. */
  readonly removed: readonly FrameSpan[]
  readonly totalFrames: number
  readonly joints: readonly PlacedJoint[]
  readonly rate: FrameRate
  /** The expression of `setpts` that numbers the remaining pictures. */
  readonly numbered: string
}

type Blending = Pick<BlendRequest, 'form' | 'rate'>

/**
 * Leaves the kept pictures of a steady stream, with transitions where parts of it overlap. It reads the stream once and
 * divides it into the two sides of all joints, so no more pictures wait in memory than one transition has. The picture `i` of
 * `n` shows `i / n` of the part behind the joint.
 */
export function blendJoints(picture: Picture, request: BlendRequest): Picture {
  const { joints, removed, totalFrames, numbered } = request
  const without = (stream: Picture, dropped: (joint: Joint) => readonly FrameSpan[]): Picture => {
    const all = mergeSpans([...removed, ...joints.flatMap(dropped)], totalFrames)
    return pipeAll(stream, [
      ['select', { expr: keepExpression(all) }],
      ['setpts', { expr: numbered }],
    ])
  }
  const ofType = (...types: Joint['type'][]) => joints.filter(({ type }) => types.includes(type))
  const faded = ofType('fade')
  if (faded.length === joints.length) {
    return fade(without(picture, droppedBehind), faded, request)
  }
  const [one, other] = halves(picture)
  const [mixed, wiped] = [ofType('crossfade'), ofType('wipe-left', 'wipe-right')]
  const slid = ofType('slide-left', 'slide-right')
  const shares = [...spansByStep(mixed, (i, frames) => i / frames)]
  const uses = shares.length + (wiped.length > 0 ? 2 : 0) + (slid.length > 0 ? 1 : 0)
  const before = branches(without(other, droppedBefore), uses)
  const take = (): Picture => {
    const branch = before.pop()
    if (!branch) throw new Error('A side of the transitions is used too often')
    return branch
  }
  const behind = mix(without(one, droppedBehind), take, { ...request, shares })
  const shown = slide(wipe(behind, take, wiped, request), take, slid, request)
  return fade(shown, faded, request)
}

/** A fade shows one part after the other. */
function droppedByFade({ from, to, frames }: Joint): FrameSpan[] {
  const half = Math.ceil(frames / 2)
  return [
    { from: from - frames + half, to: from },
    { from: to, to: to + half },
  ]
}

function droppedBehind(joint: Joint): FrameSpan[] {
  const { from, frames, type } = joint
  return type === 'fade' ? droppedByFade(joint) : [{ from: from - frames, to: from }]
}

function droppedBefore(joint: Joint): FrameSpan[] {
  const { to, frames, type } = joint
  return type === 'fade' ? droppedByFade(joint) : [{ from: to, to: to + frames }]
}

function halves(picture: Picture): readonly [Picture, Picture] {
  return connect('split', [picture], ['video', 'video'])
}

function branches(picture: Picture, count: number): Picture[] {
  if (count < 2) return [picture]
  const outputs = Array.from({ length: count }, () => 'video' as const)
  return [...connect('split', [picture], outputs, { outputs: count })]
}

/** Mixtures are made in this many steps, finer than visible: each takes a filter, however many joints there are. */
const steps = 64

/** The pictures of the film for each step, by the share that `shareOf` gives to the picture `i` of `n`. */
function spansByStep(
  joints: readonly PlacedJoint[],
  shareOf: (i: number, frames: number) => number,
): Map<number, FrameSpan[]> {
  const byStep = new Map<number, FrameSpan[]>()
  for (const { at, frames } of joints) {
    for (let i = 0; i < frames; i++) {
      const step = Math.round(steps * shareOf(i, frames))
      byStep.set(step, [...(byStep.get(step) ?? []), { from: at + i, to: at + i + 1 }])
    }
  }
  return byStep
}

/** Gives the stream of the part before a joint, once for each time that it is used. */
type Take = () => Picture

type Shares = readonly (readonly [step: number, spans: readonly FrameSpan[]])[]

function mix(
  picture: Picture,
  before: Take,
  { shares, rate }: Blending & { readonly shares: Shares },
): Picture {
  return shares.reduce((behind, [step, spans]) => {
    const mode = { all_mode: 'normal', all_opacity: step / steps }
    const enable = during(spans, rate)
    const [mixed] = connect('blend', [behind, before()], ['video'], { ...mode, enable })
    return mixed
  }, picture)
}

/** Goes from one part to a colour, and from there to the other part. */
function fade(picture: Picture, joints: readonly PlacedJoint[], { form, rate }: Blending): Picture {
  const colors = [...new Set(joints.map(({ color }) => color))]
  return colors.reduce((before, color) => {
    const through = joints.filter((joint) => joint.color === color)
    const { y, u, v } = form.colorOf(color)
    const byStep = [...spansByStep(through, (i, frames) => Math.abs(1 - (2 * i) / frames))]
    return byStep.reduce((shown, [step, spans]) => {
      const own = step / steps
      const table = (value: number): string => `val*${own}+${value * (1 - own) + 0.5}`
      const tables = { y: table(y), u: table(u), v: table(v) }
      return step === steps
        ? shown
        : pipe(shown, 'lutyuv', { ...tables, enable: during(spans, rate) })
    }, before)
  }, picture)
}

/**
 * Shows the part before a joint without the area that is uncovered. It is laid on itself so that the area still covered is at
 * its edge, and then beside the frame, so that only that area reaches into it.
 */
function wipe(
  behind: Picture,
  before: Take,
  joints: readonly PlacedJoint[],
  blending: Blending,
): Picture {
  if (joints.length === 0) return behind
  const covering = laid(before(), before(), joints, {
    ...blending,
    place: ({ gone }) => `-${gone}`,
  })
  return laid(behind, covering, joints, { ...blending, place: ({ gone }) => gone })
}

/** Both parts move: the one behind the joint pushes the other one out of the frame. */
function slide(
  behind: Picture,
  before: Take,
  joints: readonly PlacedJoint[],
  blending: Blending,
): Picture {
  if (joints.length === 0) return behind
  const [ground, over] = halves(behind)
  const coming = laid(ground, over, joints, {
    ...blending,
    place: ({ gone, all }) => `${gone}-${all}`,
  })
  return laid(coming, before(), joints, { ...blending, place: ({ gone }) => gone })
}

/** How far a picture has moved, and how far it moves: both with the sign of the direction. */
type Movement = { readonly gone: string; readonly all: string }

function laid(
  ground: Picture,
  over: Picture,
  joints: readonly PlacedJoint[],
  { form, rate, place }: Blending & { readonly place: (far: Movement) => string },
): Picture {
  const { axis, sign } = form.left
  const side = axis === 'x' ? 'W' : 'H'
  const farOf = ({ at, frames, type }: PlacedJoint): string => {
    const toward = type.endsWith('-left') ? sign : -sign
    const frame = `floor(t*${rateText(rate)}-${at}+0.25)`
    // Colours of 4:2:0 are only at every other pixel.
    const gone = `${toward * 2}*round(${side}*${frame}/${2 * frames})`
    return place({ gone: `(${gone})`, all: `(${toward}*${side})` })
  }
  const moved = byTime(joints, farOf, rate)
  const args = { x: 0, y: 0, [axis]: moved, format: form.overlayFormat }
  const spans = joints.map(({ at, frames }) => ({ from: at, to: at + frames }))
  const [picture] = connect('overlay', [ground, over], ['video'], {
    ...args,
    enable: during(spans, rate),
  })
  return picture
}

/** A time just before a picture that no other picture has, however times are rounded. */
function momentOf(frame: number, rate: FrameRate): string {
  return ((frame - 0.25) / fpsOf(rate)).toFixed(6)
}

/** An expression that has the value of the last joint that has begun. */
function byTime(
  joints: readonly PlacedJoint[],
  valueOf: (joint: PlacedJoint) => string,
  rate: FrameRate,
): string {
  return stepExpression(
    Math.max(0, joints.length - 1),
    (i) => `gt(${momentOf(joints[i + 1]?.at ?? 0, rate)},t)`,
    (i) => (joints[i] ? valueOf(joints[i]) : '0'),
  )
}

/** An expression that is 1 during these pictures. */
function during(spans: readonly FrameSpan[], rate: FrameRate): string {
  const bounds = mergeSpans(spans, Number.POSITIVE_INFINITY).flatMap(({ from, to }) => [from, to])
  return stepExpression(
    bounds.length,
    (i) => `gt(${momentOf(bounds[i] ?? 0, rate)},t)`,
    (i) => (i % 2 === 0 ? '0' : '1'),
  )
}
