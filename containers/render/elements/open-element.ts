import type { ElementFacts, VisualFacts } from '../../ffmpeg/measure-element.ts'
import type { GifFacts, StillFacts } from '../../ffmpeg/measure-picture.ts'
import { inputFile, pipeAll, streamOf, type Stream, connect } from '../../graph/filter-graph.ts'
import { fpsOf, rateText, type FrameRate } from '../../timeline/frame-rate.ts'
import type { ColorMatrix, MediaFacts } from '../../timeline/media-facts.ts'
import { loopTimes } from '../../ffmpeg/loop-times.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { alphaReading } from '../frame/alpha-reading.ts'
import { deinterlace, withoutFields } from '../frame/deinterlace.ts'
import { holdSize } from '../frame/hold-size.ts'
import type { Layout, Rect, Size } from '../../../worker/contract/layout/element-layout.ts'
import {
  standardMatrix,
  toStandardPicture,
  toTransparentPicture,
} from '../color/standard-picture.ts'
import { giveOutline, type Outline } from './give-outline.ts'
import { exactColors, toPlanes, type Filters } from './planes.ts'
import { limitedYuv } from '../color/limited-yuv.ts'

/** A measured element in the job folder. */
export type ElementMedia<Facts extends ElementFacts = ElementFacts> = {
  readonly path: string
  readonly facts: Facts
}
export type VisualMedia = ElementMedia<VisualFacts>

type ShownElement = {
  readonly layout: Layout
  readonly isLooped: boolean
  /** The highest useful frame rate. */
  readonly rate: FrameRate
  /** 0 … 1. */
  readonly opacity: number
  readonly hasFades: boolean
  /** The colour matrix of the video below it. */
  readonly colorMatrix: ColorMatrix
  /** The part of its own picture that is shown. */
  readonly crop: Rect | undefined
  readonly key: ColorKey | undefined
  readonly outline: Outline | undefined
}

export function naturalSize(facts: VisualFacts): Size {
  return facts.kind === 'movie' ? facts.media.video : facts
}

function hasAlpha(facts: VisualFacts): boolean {
  switch (facts.kind) {
    case 'still':
      return facts.hasAlpha
    case 'gif':
      return true
    case 'movie':
      return facts.media.video.hasAlpha
  }
}

/** Moving pictures without transparency keep their format, in which two pixels share a colour sample. */
export function layoutGrid(facts: VisualFacts): 1 | 2 {
  return facts.kind === 'movie' && !hasAlpha(facts) ? 2 : 1
}

/** The picture of an element from time 0, in its final size, colours and opacity, at its own frame rate. */
export function openElement({ path, facts }: VisualMedia, look: ShownElement): Stream<'video'> {
  switch (facts.kind) {
    case 'still':
      return openStill(path, facts, look)
    case 'gif':
      return openGif(path, facts, look)
    case 'movie':
      return openMovie(path, facts.media, look)
  }
}

function openStill(path: string, facts: StillFacts, look: ShownElement): Stream<'video'> {
  const file = streamOf(inputFile(path, facts.demuxer), 'video', 0)
  const video = pipeAll(file, [
    // A photo file may hold a second picture, such as its preview.
    ['trim', { end_frame: 1 }],
    ...toPlanes(facts.hasAlpha),
  ])
  return finished({ video, size: facts, isTransparent: facts.hasAlpha, matrix: undefined }, look)
}

function openGif(path: string, facts: GifFacts, look: ShownElement): Stream<'video'> {
  const file = streamOf(inputFile(path, 'gif', loopReading(look.isLooped)), 'video', 0)
  const video = pipeAll(file, [
    ['setpts', { expr: look.isLooped ? loopTimes(facts) : 'PTS-STARTPTS' }],
    ...toPlanes(true),
  ])
  return finished({ video, size: facts, isTransparent: true, matrix: undefined }, look)
}

function openMovie(
  path: string,
  { format, video }: MediaFacts,
  look: ShownElement,
): Stream<'video'> {
  const held = holdSize(video)
  const reading = [...loopReading(look.isLooped), ...alphaReading(video), ...held.reading]
  const file = streamOf(inputFile(path, demuxers[format], reading), 'video', video.index)
  const isTooFast = video.averageFps > fpsOf(look.rate) * 1.01
  const started = pipeAll(file, [...held.filters, ...fromBegin(video)])
  const whole = deinterlace(started, video)
  // Drop pictures that are never shown before converting them.
  const timed = isTooFast ? pipeAll(whole, [atRate(look.rate)]) : whole
  const facts = withoutFields(video)
  if (!video.hasAlpha) {
    const standard = toStandardPicture(timed, facts)
    const matrix = standardMatrix(video)
    return finished({ video: standard, size: video, isTransparent: false, matrix }, look)
  }
  const planes = pipeAll(toTransparentPicture(timed, facts), [
    ...toPlanes(true),
    ...squareFilters(video),
  ])
  return finished({ video: planes, size: video, isTransparent: true, matrix: undefined }, look)
}

/** The picture of a file, upright: in planes of red, green and blue, or opaque with this colour matrix. */
type OpenedElement = {
  readonly video: Stream<'video'>
  readonly size: Size
  readonly isTransparent: boolean
  readonly matrix: ColorMatrix | undefined
}

/** Crops it, makes a colour of it transparent, fits it, and applies its outline and its opacity. */
function finished(opened: OpenedElement, look: ShownElement): Stream<'video'> {
  const { crop, key, outline } = look
  const cropped = crop
    ? { ...opened, size: crop, video: pipeAll(opened.video, [cropTo(crop)]) }
    : opened
  const keyed = key ? keyOut(cropped, key) : cropped
  const fitted = pipeAll(keyed.video, fitFilters(keyed.size, look.layout, keyed.isTransparent))
  const outlined = outline ? giveOutline(pipeAll(fitted, toPlanes(true)), outline) : fitted
  return pipeAll(outlined, finishFilters(look, keyed.isTransparent || outline !== undefined))
}

/**
 * A picture that begins after its sound shows its first frame until then, as a source does. Times of pictures that begin
 * with the file count from the first one, because AVI shows all of them late.
 */
function fromBegin({ beginSeconds }: MediaFacts['video']): Filters {
  return [
    [
      'setpts',
      { expr: beginSeconds > 0 ? `round(PTS-STARTPTS+${beginSeconds}/TB)` : 'PTS-STARTPTS' },
    ],
  ]
}

/** Takes the last picture before each point of the grid, never a later one. */
export function atRate(rate: FrameRate): Filters[number] {
  return ['fps', { fps: rateText(rate), round: 'up', start_time: 0 }]
}

function loopReading(isLooped: boolean): string[] {
  return isLooped ? ['-stream_loop', '-1'] : []
}

function squareFilters({ width, height, hasSquarePixels }: MediaFacts['video']): Filters {
  if (hasSquarePixels) return []
  return [
    ['scale', { w: width, h: height, flags: 'bicubic' }],
    ['setsar', { sar: 1 }],
  ]
}

function fitFilters(
  natural: Size,
  { source, scaled, seen }: Layout,
  isTransparent: boolean,
): Filters {
  const isWhole = seen.width === scaled.width && seen.height === scaled.height
  const crop = isWhole ? [] : [cropTo(seen)]
  const isNatural = scaled.width === natural.width && scaled.height === natural.height
  if (isNatural && !source) return crop
  const scale: Filters = [
    ['scale', { w: scaled.width, h: scaled.height, flags: `bicubic+${exactColors}` }],
  ]
  // The colour of transparent pixels must not run into the visible ones.
  const clean: Filters = [
    ['premultiply', { inplace: 1 }],
    ...scale,
    ['unpremultiply', { inplace: 1 }],
  ]
  return [...(source ? [cropTo(source)] : []), ...(isTransparent ? clean : scale), ...crop]
}

function cropTo({ width, height, x, y }: Layout['seen']): Filters[number] {
  return ['crop', { w: width, h: height, x, y }]
}

function finishFilters(look: ShownElement, isTransparent: boolean): Filters {
  const { layout, opacity, hasFades, colorMatrix } = look
  const before = { x: oddPart(layout.at.x), y: oddPart(layout.at.y) }
  const isOdd = before.x + before.y > 0
  const needsAlpha = isTransparent || opacity < 1 || hasFades || isOdd
  const pad = { w: `iw+${before.x}`, h: `ih+${before.y}`, ...before, color: 'black@0' }
  return [
    // Overlays can start only at even pixels; a transparent row or column adds the missing pixel.
    ...((isOdd
      ? [
          ['format', { pix_fmts: 'gbrap' }],
          ['pad', pad],
        ]
      : []) as Filters),
    ['scale', { out_color_matrix: colorMatrix, out_range: 'limited', flags: exactColors }],
    ['format', { pix_fmts: needsAlpha ? 'yuva420p' : 'yuv420p' }],
    ...((opacity < 1 ? [['lutyuv', { ...unchanged, a: `val*${opacity}` }]] : []) as Filters),
  ]
}

export const unchanged = { y: 'val', u: 'val', v: 'val' } as const

/** Overlays can start only at even pixels: by how much a place lies beyond one, even left of the frame. */
export function oddPart(pixels: number): number {
  return Math.abs(pixels % 2)
}

type ColorKey = { readonly color: string; readonly similarity?: number | undefined }

const usualSimilarity = 0.12
/** Beyond the range of colours that vanish, others become gradually transparent over this range, so that edges stay soft. */
const softness = 0.05

/** Makes a colour transparent whatever its brightness, so that shadows on a green wall vanish with it. */
function keyOut(opened: OpenedElement, key: ColorKey): OpenedElement {
  const { video, isTransparent, matrix } = opened
  if (matrix !== undefined) {
    const made = pipeAll(video, [
      ['format', { pix_fmts: 'yuva420p' }],
      keyFilter(key, matrix),
      ...toPlanes(true),
    ])
    return { ...opened, video: made, isTransparent: true, matrix: undefined }
  }
  if (!isTransparent) return { ...opened, video: keyPlanes(video, key), isTransparent: true }
  // Parts that were transparent before stay transparent.
  const [own, looked] = connect('split', [video], ['video', 'video'])
  const both = [keyPlanes(looked, key), own]
  const [made] = connect('blend', both, ['video'], { c3_mode: 'multiply' })
  return { ...opened, video: made }
}

function keyPlanes(video: Stream<'video'>, key: ColorKey): Stream<'video'> {
  return pipeAll(video, [
    ['scale', { out_color_matrix: 'bt709', out_range: 'limited', flags: exactColors }],
    ['format', { pix_fmts: 'yuva444p' }],
    keyFilter(key, 'bt709'),
    ...toPlanes(true),
  ])
}

function keyFilter({ color, similarity = usualSimilarity }: ColorKey, matrix: ColorMatrix) {
  const { y, u, v } = limitedYuv(color, matrix)
  const hex = [y, u, v].map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')
  // The colour is given in stored values: the filter itself would convert every colour as BT.601.
  return ['chromakey', { color: `0x${hex}`, similarity, blend: softness, yuv: 1 }] as const
}
