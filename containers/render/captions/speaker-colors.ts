import type { SetCaption } from '../../text/caption-track.ts'
import { contrastInOutline, contrastOnBox, leastContrast, readColor } from '../../text/colors.ts'
import type { CaptionLook } from '../../text/caption-track.ts'

/** Light, and told apart by those who see no red or green. The first speaker has the colour of the captions. */
const palette = [
  ...['#7FD4FF', '#FFB454', '#9BE28F', '#F7A8D0', '#C9B6FF'],
  ...['#FF9C8A', '#8FE3D6', '#E8D48B', '#B5C7E3'],
]

/** Gives the captions of each speaker a colour that can be read on the box, or in its outline without one. */
export function colorSpeakers(captions: readonly SetCaption[], { box }: CaptionLook): SetCaption[] {
  const readable = palette.map(readColor).filter((color) => {
    const contrast = box === undefined ? contrastInOutline(color) : contrastOnBox(color, box)
    return contrast >= leastContrast
  })
  const order = [...new Set(captions.flatMap(({ speaker }) => speaker ?? []))]
  return captions.map((caption) => {
    const place = caption.speaker === undefined ? 0 : order.indexOf(caption.speaker)
    const fill = place === 0 ? undefined : readable[(place - 1) % Math.max(1, readable.length)]
    return fill ? { ...caption, fill } : caption
  })
}
