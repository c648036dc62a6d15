import { connect, pipe, type Stream } from '../../graph/filter-graph.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import { tagMatrix } from '../color/limited-yuv.ts'
import { expressionOf, placeOn, type Knot } from '../frame/crop-path.ts'
import { fitFrame, paintAround } from '../frame/fit-frame.ts'
import { evenFloor, evenFloorOf, isSameSize } from '../frame/frame-shape.ts'
import { followedShape } from '../frame/followed-shape.ts'
import {
  halfShares,
  planScenes,
  type Aim,
  type CropShares,
  type Scene,
} from '../frame/reframe-scenes.ts'
import { renderStep, type ClipPicture } from '../render-state.ts'
import { nearestEven } from '../../numbers/nearest-even.ts'

/** Makes each shot of a clip show the people in it. This is the last step that changes clips, so it sees the final picture. */
export const reframe = renderStep({
  name: 'reframe',
  reads: ['reframe', 'aspectRatio', 'resizeMode', 'backgroundColor', 'width', 'height'],
  shapeClip(picture, options) {
    const { seen } = picture
    const shape = followedShape(picture, options)
    if (!seen || !shape) return picture
    const { crop, target } = shape
    const ratio = target.width / target.height
    const scenes = planScenes(seen.shots, seen.asked, { picture: evenFloor(picture), ratio })
    const modes = new Set(scenes.map(({ mode }) => mode))
    const layers = (['halves', 'wide'] as const).filter((mode) => modes.has(mode))
    const source = { ...picture, ...evenFloor(picture) }
    const copies = copiesOf(picture.video, layers.length)
    const [base = picture.video, ...others] = copies
    const ground = croppedTo(base, source, { crop, aims: knotsOf(scenes, 'crop', 0), target })
    const video = layers.reduce((below, mode, i) => {
      const copy = { ...source, video: others[i] ?? base }
      const above =
        mode === 'wide'
          ? whole(copy, target, options.backgroundColor)
          : halves(copy, scenes, target)
      const enable = enabledIn(scenes.filter((scene) => scene.mode === mode))
      const [shown] = connect('overlay', [below, above], ['video'], { x: 0, y: 0, enable })
      return shown
    }, ground)
    return { ...picture, ...target, video: pipe(video, 'setsar', { sar: 1 }) }
  },
})

/** The stream itself, if it is read only once. */
function copiesOf(video: Stream<'video'>, more: number): readonly Stream<'video'>[] {
  if (more === 0) return [video]
  const [one, other] = connect('split', [video], ['video', 'video'])
  return [one, ...copiesOf(other, more - 1)]
}

const sidesOf = ({ width, height }: Size) => ({ w: width, h: height })

type Cropping = { readonly crop: Size; readonly aims: Aim; readonly target: Size }

/** A part of this size whose middle follows its path, enlarged to the size of the result. */
function croppedTo(video: Stream<'video'>, picture: Size, { crop, aims, target }: Cropping) {
  const x = edge(aims.across, picture.width, crop.width)
  const y = edge(aims.down, picture.height, crop.height)
  // Without `exact`, it would move by two pixels at least.
  const part = pipe(video, 'crop', { ...sidesOf(crop), x, y, exact: 1 })
  return isSameSize(crop, target)
    ? part
    : pipe(part, 'scale', { ...sidesOf(target), flags: 'bicubic' })
}

/** Where a part of this length begins, in pixels, so that its middle is where it should be. */
function edge(knots: readonly Knot[], side: number, length: number): string {
  const most = side - length
  return expressionOf(
    knots.map(({ seconds, at }) => ({
      seconds,
      at: Math.min(most, Math.max(0, at * side - length / 2)),
    })),
  )
}

/** The knots of all scenes of one kind; between two of them the middle waits. */
function knotsOf(scenes: readonly Scene[], mode: Scene['mode'], which: number): Aim {
  const all = scenes.flatMap((scene) => {
    const aim = scene.mode === mode ? scene.aims[which] : undefined
    return aim ? [{ scene, aim }] : []
  })
  const joined = (side: keyof Aim): Knot[] =>
    all.flatMap(({ scene, aim }) => clippedTo(aim[side], scene))
  return { across: joined('across'), down: joined('down') }
}

/** The part of a path that lies in a scene, with a knot at both of its ends. */
function clippedTo(knots: readonly Knot[], { startSeconds, endSeconds }: Scene): Knot[] {
  const inside = knots.filter(({ seconds }) => seconds > startSeconds && seconds < endSeconds)
  return [
    { seconds: startSeconds, at: placeOn(knots, startSeconds) ?? 0.5 },
    ...inside,
    { seconds: endSeconds, at: placeOn(knots, endSeconds) ?? 0.5 },
  ]
}

/** Two parts of the picture, one above the other. */
function halves(picture: ClipPicture, scenes: readonly Scene[], target: Size): Stream<'video'> {
  const shares = halfShares(picture, target.width / target.height)
  const upper = { width: target.width, height: nearestEven(target.height / 2) }
  const sizes = [upper, { width: target.width, height: target.height - upper.height }]
  const copies = connect('split', [picture.video], ['video', 'video'])
  const parts = copies.map((video, i) => {
    const half = { crop: pixelSides(picture, shares), aims: knotsOf(scenes, 'halves', i) }
    return croppedTo(video, picture, { ...half, target: sizes[i] ?? upper })
  })
  const [stacked] = connect('vstack', parts, ['video'])
  return pipe(stacked, 'setsar', { sar: 1 })
}

function pixelSides({ width, height }: Size, { wide, high }: CropShares): Size {
  return {
    width: Math.max(2, evenFloorOf(wide * width)),
    height: Math.max(2, evenFloorOf(high * height)),
  }
}

/** The whole picture, with bars. */
function whole(picture: ClipPicture, target: Size, backgroundColor: string): Stream<'video'> {
  const frame = { ...target, resizeMode: 'contain' as const, backgroundColor }
  const fitted = fitFrame(picture, frame)
  const video = tagMatrix(pipe(fitted.video, 'setsar', { sar: 1 }), picture.colorMatrix)
  return paintAround({ ...fitted, video }, frame, picture.colorMatrix)
}

function enabledIn(scenes: readonly Scene[]): string {
  const spans = scenes.map(
    ({ startSeconds, endSeconds }) =>
      `between(t,${startSeconds.toFixed(4)},${(endSeconds - 0.0005).toFixed(4)})`,
  )
  return spans.join('+')
}
