import type { Captions } from '../../../worker/contract/options/captions/captions.ts'
import type { CaptionLook, SetCaption } from '../../text/caption-track.ts'
import { contrastInOutline, contrastOnBox, leastContrast } from '../../text/colors.ts'
import { readColor, type Color } from '../../../worker/contract/options/picture/contrast.ts'
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

/** The outline contrasts with the letters unless the picture shines through them; on a box, letters have none. */
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

/** Light colours that people who see no red or green can tell apart. The first speaker has the colour of the captions. */
const palette = [
  ...['#7FD4FF', '#FFB454', '#9BE28F', '#F7A8D0', '#C9B6FF'],
  ...['#FF9C8A', '#8FE3D6', '#E8D48B', '#B5C7E3'],
]

/**
 * Gives the captions of each speaker a colour that is readable on the box, or in its outline without one. Every speaker of the
 * source gets one, in the order of `speakers`, so that a person looks the same in all clips of it.
 */
export function colorSpeakers(
  captions: readonly SetCaption[],
  speakers: readonly string[],
  { box }: Pick<CaptionLook, 'box'>,
): SetCaption[] {
  const readable = palette.map(readColor).filter((color) => {
    const contrast = box === undefined ? contrastInOutline(color) : contrastOnBox(color, box)
    return contrast >= leastContrast
  })
  return captions.map((caption) => {
    const place = caption.speaker === undefined ? 0 : speakers.indexOf(caption.speaker)
    const fill = place < 1 ? undefined : readable[(place - 1) % Math.max(1, readable.length)]
    return fill ? { ...caption, fill } : caption
  })
}
