import { connect, onePicture, pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'

/** The changes to a picture that was already fitted, in this order. */
export type Outline = {
  readonly size: Size
  /** In pixels; 0 leaves the corners as they are. */
  readonly radius: number
  readonly turn: ElementTurn | undefined
  readonly tiles: Tiles | undefined
}

/** Clockwise, into a box of this size. */
type ElementTurn = { readonly degrees: number; readonly box: Size }

/** Fills a frame; one of the pictures has its upper left corner at `offset` before the first whole one. */
type Tiles = {
  readonly frame: Size
  readonly offset: { readonly x: number; readonly y: number }
}

/** Rounds the corners of a picture in transparent planes, turns it, and lays it side by side. */
export function giveOutline(
  picture: Stream<'video'>,
  { size, radius, turn, tiles }: Outline,
): Stream<'video'> {
  const rounded = radius > 0 ? roundCorners(picture, size, radius) : picture
  const turned = turn ? turnPicture(rounded, turn) : rounded
  return tiles ? tile(turned, turn?.box ?? size, tiles) : turned
}

/** Rounds the corners with a mask that says how much of each pixel is left; it is made once. */
function roundCorners(picture: Stream<'video'>, size: Size, radius: number): Stream<'video'> {
  const { width, height } = size
  const r = Math.min(radius, width / 2, height / 2)
  const beyond = (place: string, length: number) =>
    `max(0,abs(${place}+0.5-${length / 2})-${length / 2 - r})`
  const share = `clip(${r}+0.5-hypot(${beyond('X', width)},${beyond('Y', height)}),0,1)`
  const mask = onePicture(size, 'gbrap', ['geq', { r: '0', g: '0', b: '0', a: `255*${share}` }])
  const [rounded] = connect('blend', [picture, mask], ['video'], { c3_mode: 'multiply' })
  return rounded
}

/** A transparent line around the picture makes its edges smooth, however it is turned. */
const edge = 2

function turnPicture(picture: Stream<'video'>, { degrees, box }: ElementTurn): Stream<'video'> {
  return pipeAll(picture, [
    ['pad', { w: `iw+${2 * edge}`, h: `ih+${2 * edge}`, x: edge, y: edge, color: 'black@0' }],
    // The colour of transparent pixels must not run into the visible ones.
    ['premultiply', { inplace: 1 }],
    ['rotate', { a: (degrees * Math.PI) / 180, ow: box.width, oh: box.height, c: 'black@0' }],
    ['unpremultiply', { inplace: 1 }],
  ])
}

/** The box of a turned picture: as many pixels around its middle to each side as it needs. */
export function turnedBox({ width, height }: Size, degrees: number): Size {
  const angle = (degrees * Math.PI) / 180
  const [across, down] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const around = (length: number, own: number) =>
    own + 2 * Math.ceil((Math.ceil(length - 1e-6) + 2 - own) / 2)
  return {
    width: around(width * across + height * down, width),
    height: around(width * down + height * across, height),
  }
}

function tile(picture: Stream<'video'>, size: Size, { frame, offset }: Tiles): Stream<'video'> {
  const row = doubled(picture, 'hstack', size.width, frame.width + size.width)
  const wide = pipe(row, 'crop', { w: frame.width, h: size.height, x: offset.x, y: 0 })
  const whole = doubled(wide, 'vstack', size.height, frame.height + size.height)
  return pipe(whole, 'crop', { w: frame.width, h: frame.height, x: 0, y: offset.y })
}

function doubled(
  picture: Stream<'video'>,
  name: 'hstack' | 'vstack',
  length: number,
  wanted: number,
): Stream<'video'> {
  if (length >= wanted) return picture
  const [one, other] = connect('split', [picture], ['video', 'video'])
  const [both] = connect(name, [one, other], ['video'])
  return doubled(both, name, 2 * length, wanted)
}
