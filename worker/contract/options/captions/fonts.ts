import { limits } from '../../limits.ts'
import { urlFault } from '../media-url.ts'
import { nearestName } from '../../input/nearest-name.ts'
import { isStorageAddress, storageAddressFault } from '../../storages/storage-address.ts'
import { listOf, worded } from '../../answers/wording.ts'
import { textWithout } from '../../input/text.ts'

/** The fonts that every media worker has. Letters that a font lacks are taken from others. */
const builtInFonts = [
  'Inter',
  'Inter Medium',
  'Inter Bold',
  'Inter Black',
  'Noto Sans',
  'Noto Sans Bold',
  'Noto Serif',
  'Noto Serif Bold',
] as const
export type BuiltInFont = (typeof builtInFonts)[number]

export function isBuiltInFont(font: string): font is BuiltInFont {
  return (builtInFonts as readonly string[]).includes(font)
}

/** A font: the name of one that is there, or the address of a TTF or OTF file. */
export const font = worded(
  textWithout(limits.urlLength, (text) => (isBuiltInFont(text) ? undefined : fontFault(text))),
  `a font such as "Inter Bold", or the address of a TTF or OTF file`,
)

function fontFault(text: string): string | undefined {
  if (/^https?:/i.test(text)) return urlFault(text)
  if (isStorageAddress(text)) return storageAddressFault(text)
  const meant = nearestName(text, builtInFonts)
  if (meant !== undefined) return `Unknown font; did you mean ${meant}?`
  return `Must be ${listOf(builtInFonts)}, or the address of a TTF or OTF file`
}
