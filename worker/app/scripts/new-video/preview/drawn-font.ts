import black from '@fontsource/inter/files/inter-latin-900-normal.woff2'
import blackMore from '@fontsource/inter/files/inter-latin-ext-900-normal.woff2'
import bold from '@fontsource/inter/files/inter-latin-700-normal.woff2'
import boldMore from '@fontsource/inter/files/inter-latin-ext-700-normal.woff2'
import medium from '@fontsource/inter/files/inter-latin-500-normal.woff2'
import mediumMore from '@fontsource/inter/files/inter-latin-ext-500-normal.woff2'
import regular from '@fontsource/inter/files/inter-latin-400-normal.woff2'
import regularMore from '@fontsource/inter/files/inter-latin-ext-400-normal.woff2'

/** The font that media workers draw with, under a name that no installed font has. */
const inter = 'Spool Inter'
const weights = { Regular: '400', Medium: '500', Bold: '700', Black: '900' } as const

const files: readonly (readonly [weight: keyof typeof weights, latin: string, more: string])[] = [
  ['Regular', regular, regularMore],
  ['Medium', medium, mediumMore],
  ['Bold', bold, boldMore],
  ['Black', black, blackMore],
]
/** The letters in the second file of each weight: those of central and eastern Europe. */
const more = 'U+0100-0130, U+0132-0151, U+0154-02BA, U+1E00-1EFF, U+2C60-2C7F, U+A720-A7FF'
const latin = 'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02DC, U+2000-206F, U+20AC, U+2122'

/** Offers the fonts to the page; a browser fetches each one when it is first used. */
export function offerFonts(): void {
  for (const [weight, file, moreFile] of files) {
    const shared = { weight: weights[weight] }
    document.fonts.add(new FontFace(inter, `url(${file})`, { ...shared, unicodeRange: latin }))
    document.fonts.add(new FontFace(inter, `url(${moreFile})`, { ...shared, unicodeRange: more }))
  }
}

/** CSS for a font of the request. A font given by its address is shown as the usual one. */
export function drawnFont(font: unknown): { family: string; weight: string } {
  const [, name = 'Inter', weight = 'Regular'] =
    /^(Inter|Noto Sans|Noto Serif)(?: (Medium|Bold|Black))?$/.exec(
      typeof font === 'string' ? font : '',
    ) ?? ['', 'Inter', 'Bold']
  const family = name === 'Inter' ? `"${inter}", Inter` : `"${name}"`
  return { family: `${family}, sans-serif`, weight: weights[weight as keyof typeof weights] }
}
