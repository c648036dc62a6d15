import type { SetCaption } from '../../text/caption-track.ts'
import { contrastInOutline, contrastOnBox, leastContrast, readColor } from '../../text/colors.ts'
import type { CaptionLook } from '../../text/caption-track.ts'

/** Light, and told apart by those who see no red or green. Who speaks first has the colour of the captions. */
const palette = [
  ...['#7FD4FF', '#FFB454', '#9BE28F', '#F7A8D0', '#C9B6FF'],
  ...['#FF9C8A', '#8FE3D6', '#E8D48B', '#B5C7E3'],
]

/**
 * Gives the captions of each speaker a colour that can be read on the box, or in its outline without one. All who are heard in the
 * source have one, in the order of `speakers`, so that a person looks the same in all clips of it.
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
