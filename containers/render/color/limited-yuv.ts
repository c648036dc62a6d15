import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { pipe, type Stream } from '../../graph/filter-graph.ts'
import type { Yuv } from '../../timeline/blend-joints.ts'

type Rgb = { readonly r: number; readonly g: number; readonly b: number }

/** The shares of red and blue in the luma. */
export const lumaShares: Record<ColorMatrix, { readonly red: number; readonly blue: number }> = {
  bt601: { red: 0.299, blue: 0.114 },
  bt709: { red: 0.2126, blue: 0.0722 },
  bt2020: { red: 0.2627, blue: 0.0593 },
}

/** The names in ffmpeg's `setparams`. */
export const matrixTags: Record<ColorMatrix, string> = {
  bt601: 'smpte170m',
  bt709: 'bt709',
  bt2020: 'bt2020nc',
}

/** The average loss of ffmpeg's fast conversion, which most viewers use. */
const lostByFastDecoders: Rgb = { r: 1, g: 1.5, b: 1 }
const lostByExactDecoders: Rgb = { r: 0, g: 0, b: 0 }

/**
 * Converts `#rrggbb` to the 8-bit limited-range values that decoders, exact and fast ones, show closest to it. Rounding
 * each value separately can be off by three steps in blue, so all neighbours are tried.
 */
export function limitedYuv(color: string, matrix: ColorMatrix): Yuv {
  const wanted = parseColor(color)
  const exact = fromRgb(wanted, matrix)
  const candidates = around(exact.y, 235).flatMap((y) =>
    around(exact.u, 240).flatMap((u) => around(exact.v, 240).map((v) => ({ y, u, v }))),
  )
  const ranked = candidates
    .map((yuv) => ({ yuv, off: worstDistance(toRgb(yuv, matrix), wanted) }))
    .sort((a, b) => a.off - b.off)
  return ranked[0]?.yuv ?? exact
}

function around(value: number, most: number): number[] {
  const below = Math.floor(value)
  return [below, below + 1].filter((near) => near <= most)
}

function parseColor(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return { r: value >> 16, g: (value >> 8) & 255, b: value & 255 }
}

function fromRgb({ r, g, b }: Rgb, matrix: ColorMatrix): Yuv {
  const { red, blue } = lumaShares[matrix]
  const luma = red * r + (1 - red - blue) * g + blue * b
  return {
    y: 16 + (219 * luma) / 255,
    u: 128 + (112 * (b - luma)) / (255 * (1 - blue)),
    v: 128 + (112 * (r - luma)) / (255 * (1 - red)),
  }
}

function toRgb({ y, u, v }: Yuv, matrix: ColorMatrix): Rgb {
  const { red, blue } = lumaShares[matrix]
  const luma = ((y - 16) * 255) / 219
  const b = luma + ((u - 128) * 255 * (1 - blue)) / 112
  const r = luma + ((v - 128) * 255 * (1 - red)) / 112
  return { r, g: (luma - red * r - blue * b) / (1 - red - blue), b }
}

/** The same colour in the values of another matrix. */
export function inMatrix(color: Yuv, from: ColorMatrix, to: ColorMatrix): Yuv {
  return fromRgb(toRgb(color, from), to)
}

function worstDistance(decoded: Rgb, wanted: Rgb): number {
  return Math.max(
    ...[lostByExactDecoders, lostByFastDecoders].map((lost) =>
      distance(shown(decoded, lost), wanted),
    ),
  )
}

function shown(decoded: Rgb, lost: Rgb): Rgb {
  const clip = (value: number): number => Math.max(0, Math.min(255, value))
  return { r: clip(decoded.r - lost.r), g: clip(decoded.g - lost.g), b: clip(decoded.b - lost.b) }
}

function distance(a: Rgb, b: Rgb): number {
  return Math.max(Math.abs(a.r - b.r), Math.abs(a.g - b.g), Math.abs(a.b - b.b))
}

/** Tags the result with its colour matrix, because players guess differently if a picture has no tag. */
export function tagMatrix(picture: Stream<'video'>, matrix: ColorMatrix): Stream<'video'> {
  return pipe(picture, 'setparams', { colorspace: matrixTags[matrix] })
}
