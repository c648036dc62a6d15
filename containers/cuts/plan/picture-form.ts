import type { Packing } from '../../ffmpeg/measure-packing.ts'
import type { PictureForm } from '../../timeline/blend-joints.ts'
import type { Joint } from '../../timeline/joints.ts'
import type { ColorMatrix, MediaFacts } from '../../timeline/media-facts.ts'
import { CutFault } from '../cut-fault.ts'

/** Converts `#rrggbb` to values of 8 bits and limited range. */
export type ToYuv = (
  color: string,
  matrix: ColorMatrix,
) => { readonly y: number; readonly u: number; readonly v: number }

type Stored = { readonly facts: MediaFacts; readonly packing: Pick<Packing, 'stream'> }

/** How transitions are made of pictures as they are stored: turned as the camera was held, and in their own values. */
export function pictureForm(
  source: Stored,
  joints: readonly Joint[],
  toYuv: ToYuv,
): PictureForm | undefined {
  if (joints.length === 0) return undefined
  const { isFullRange, transfer, colorMatrix } = source.facts.video
  const isMoving = joints.some(({ type }) => type.startsWith('wipe') || type.startsWith('slide'))
  const pixels = source.packing.stream.get('pix_fmt') ?? 'unknown'
  const overlayFormat = isFullRange ? undefined : overlayFormats[pixels]
  if (isMoving && overlayFormat === undefined)
    throw new CutFault(`nothing can be moved across its pictures (${pixels}) as they are stored`)
  const isColored = joints.some(({ type, color }) => type === 'fade' && color !== '#000000')
  if (isColored && transfer !== 'sdr')
    throw new CutFault('it is in HDR, and a colour of a fade is not')
  const scale = 2 ** (bitsOf(pixels) - 8)
  return {
    left: isMoving ? leftIn(source) : { axis: 'x', sign: -1 },
    overlayFormat: overlayFormat ?? 'yuv420',
    colorOf: (color) => {
      const { y, u, v } = toYuv(color, colorMatrix)
      const chroma = (value: number): number =>
        scale * (isFullRange ? ((value - 128) * 255) / 224 + 128 : value)
      const luma = scale * (isFullRange ? ((y - 16) * 255) / 219 : y)
      return { y: luma, u: chroma(u), v: chroma(v) }
    },
  }
}

const overlayFormats: Readonly<Record<string, string>> = {
  yuv420p: 'yuv420',
  yuv422p: 'yuv422',
  yuv444p: 'yuv444',
  yuv420p10le: 'yuv420p10',
  yuv422p10le: 'yuv422p10',
}

/** `yuv420p10le` has 10. */
function bitsOf(pixels: string): number {
  return Number(/p(\d+)[lb]e$/.exec(pixels)?.[1] ?? 8)
}

/** By how many degrees players turn the picture counterclockwise, and where its left side is before that. */
function leftIn({ facts, packing }: Stored): PictureForm['left'] {
  const turned = (Number(packing.stream.get('rotation') ?? 0) + 360) % 360
  const left = lefts[turned]
  if (!left || (turned === 0 && facts.video.isTurned))
    throw new CutFault('it is turned in a way in which nothing can be moved across it')
  return left
}

const lefts: Readonly<Record<number, PictureForm['left']>> = {
  0: { axis: 'x', sign: -1 },
  90: { axis: 'y', sign: -1 },
  180: { axis: 'x', sign: 1 },
  270: { axis: 'y', sign: 1 },
}
