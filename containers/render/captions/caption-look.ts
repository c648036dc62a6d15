import type { Captions } from '../../../worker/contract/options/captions/captions.ts'
import type { CaptionLook } from '../../text/caption-track.ts'
import {
  contrastInOutline,
  contrastOnBox,
  leastContrast,
  readColor,
  type Color,
} from '../../text/colors.ts'
import { captionRoom, type CaptionRoom } from '../../../worker/contract/captions/caption-room.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'

type CaptionStage = CaptionLook &
  Pick<CaptionRoom, 'maxWidth' | 'maxLines'> & { readonly warnings: readonly string[] }

/** How captions look in a frame, and how much room they have there. */
export function planCaptionLook(captions: Captions, frame: Size): CaptionStage {
  const { style = 'plain', color = '#FFFFFF' } = captions
  const background = captions.background ?? (style === 'box' ? '#000000C0' : undefined)
  const highlight = captions.highlight ?? (style === 'karaoke' ? '#FFE100' : undefined)
  const { asked, ...room } = captionRoom(captions, frame)
  const { fontSize } = room
  return {
    ...room,
    fill: readColor(color),
    highlight: highlight === undefined ? undefined : readColor(highlight),
    box: background === undefined ? undefined : readColor(background),
    warnings: [
      ...(fontSize < asked - 0.5
        ? [
            `captions.size: made smaller, ${fontSize.toFixed(1)} pixels, to leave two thirds of the picture free.`,
          ]
        : []),
      ...colorWarnings({ color, highlight, background }),
    ],
  }
}

type AskedColors = { color: string; highlight: string | undefined; background: string | undefined }

/** The outline of letters stands out from them unless the picture shines through them; on a box they have none. */
function colorWarnings({ color, highlight, background }: AskedColors): string[] {
  const letters = { color, ...(highlight !== undefined && { highlight }) }
  const ground = background === undefined ? 'some pictures' : `a box of ${background}`
  const contrast = (text: Color): number =>
    background === undefined ? contrastInOutline(text) : contrastOnBox(text, readColor(background))
  return Object.entries(letters).flatMap(([name, value]) =>
    contrast(readColor(value)) >= leastContrast
      ? []
      : [`captions.${name}: ${value} is hard to read on ${ground}.`],
  )
}
