import type { TextElement } from '../../../worker/contract/options/elements/text-element.ts'
import { contrastOnBox, leastContrast, opposite } from '../../text/colors.ts'
import { readColor } from '../../../worker/contract/options/picture/contrast.ts'
import type { Lettering } from '../../text/font-shelf.ts'
import { layOutText } from '../../text/lay-out-text.ts'
import { marginOf, pictureOfText, type TextLook } from '../../text/picture-of-text.ts'
import { pixelsOf, type Size } from '../../../worker/contract/layout/element-layout.ts'

/** Sets the text of an element for a frame. */
export function planText(
  element: TextElement,
  { index, frame, lettering }: { index: number; frame: Size; lettering: Lettering },
) {
  const asked = pixelsOf(element.fontSize ?? '6%', frame.height) ?? 0
  const { lineHeight = 1.25 } = element
  const asAsked = lookOf(element, asked)
  const room = roomOf(element, frame)
  const margin = 2 * marginOf(asAsked, asked)
  const block = layOutText({
    text: element.text,
    lettering,
    fontSize: asked,
    lineHeight,
    maxWidth: Math.max(1, room.width - margin),
    maxHeight: Math.max(1, room.height - margin),
  })
  const drawn = pictureOfText(block, lookOf(element, block.fontSize))
  const field = `elements[${index}]`
  const isSmaller = block.fontSize < asked - 0.5
  const pixels = block.fontSize.toFixed(1)
  return {
    drawn,
    warnings: [
      ...missingWarning(`${field}.text`, block.missing),
      ...(isSmaller
        ? [`${field}.fontSize: made smaller, ${pixels} pixels, so that the text fits.`]
        : []),
      ...(block.linesLeftOut > 0
        ? [`${field}.text: its last ${block.linesLeftOut} lines did not fit and were left out.`]
        : []),
      ...contrastWarning(field, element),
    ],
  }
}

function roomOf({ size }: TextElement, frame: Size): Size {
  return {
    width: pixelsOf(size?.width ?? '90%', frame.width) ?? frame.width,
    height: Math.min(frame.height, pixelsOf(size?.height, frame.height) ?? frame.height),
  }
}

function lookOf(element: TextElement, fontSize: number): TextLook {
  const { outline, shadow, background, padding, align = 'center', lineHeight = 1.25 } = element
  const ofFont = (length: number | string): number =>
    typeof length === 'number' ? length : (Number.parseFloat(length) / 100) * fontSize
  const fill = readColor(element.color ?? '#FFFFFF')
  return {
    fill,
    align,
    lineHeight,
    outline: outline && {
      color: outline.color === undefined ? opposite(fill) : readColor(outline.color),
      width: ofFont(outline.width ?? '8%'),
    },
    shadow: shadow && {
      color: readColor(shadow.color ?? '#000000A0'),
      distance: ofFont(shadow.distance ?? '6%'),
      blur: ofFont(shadow.blur ?? '6%'),
    },
    box:
      background === undefined
        ? undefined
        : { color: readColor(background), padding: ofFont(padding ?? '30%') },
  }
}

const namedLetters = 10

/** Names the letters that no font has. */
export function missingWarning(field: string, missing: readonly string[]): string[] {
  if (missing.length === 0) return []
  const named = missing.slice(0, namedLetters).map((letter) => `${letter} (${codesOf(letter)})`)
  const more = missing.length > namedLetters ? ` and ${missing.length - namedLetters} more` : ''
  return [
    `${field}: no font here has these letters, so they were left out: ${named.join(', ')}${more}.`,
  ]
}

function codesOf(letter: string): string {
  const codes = [...letter].slice(0, 4)
  return codes
    .map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ')
}

/** An outline keeps letters readable on any box. */
function contrastWarning(
  field: string,
  { background, outline, color = '#FFFFFF' }: TextElement,
): string[] {
  if (background === undefined || outline) return []
  const box = readColor(background)
  if (contrastOnBox(readColor(color), box) >= leastContrast) return []
  return [`${field}.color: ${color} is hard to read on a box of ${background}.`]
}
