import { readFile } from 'node:fs/promises'
import { Blob, Buffer as Shaped, Face as HarfBuzzFace, Font, shape } from 'harfbuzzjs'
import type { BuiltInFont } from '../../worker/contract/options/captions/fonts.ts'
import { cjkLanguage, fontFileOf, pathOfFont, standIns, type FontFile } from './built-in-fonts.ts'
import { lettersOf } from './clean-text.ts'
import { FontFault, isCollection, rebuildFont } from './font-file.ts'

/** A font that text is drawn with. */
export type Face = {
  /** The name under which programs find it; chosen by us. */
  readonly family: string
  has(letter: string): boolean
  /** The width of a text of this font alone, in sizes of the font. */
  widthOf(text: string): number
}

/** A font as a request names it: an installed one, or the bytes of another. */
export type FontWish = BuiltInFont | { readonly bytes: Uint8Array; readonly from: string }

/** Finds the font of each letter of one text. */
export type Lettering = {
  /** Undefined if no font has this letter. */
  faceOf(letter: string): Face | undefined
}

type FontSource = { readonly bytes: Uint8Array; readonly index: number }

/** Blanks, and marks that join letters; a font without them loses nothing. */
const unseen = /[\u200C\u200D\p{Zs}]/gu

/**
 * The fonts of one job. Each is opened when a text needs it, and written for the program that draws if something is drawn with
 * it.
 */
export class FontShelf {
  readonly #faces = new Map<string, Promise<Face | undefined>>()
  /** Fonts from customers, by the file in which they came. */
  readonly #sent = new Map<string, Face>()
  readonly #sources = new Map<string, FontSource>()

  /** Opens all fonts that a text needs. Throws a `FontFault` if the wanted font cannot be used. */
  async lettering(wish: FontWish, text: string, language?: string): Promise<Lettering> {
    const wanted = typeof wish === 'string' ? fontFileOf(wish) : undefined
    const first =
      typeof wish === 'string' ? await this.#installed(fontFileOf(wish)) : this.#own(wish)
    if (first && wanted === undefined && text !== '') refuseSlow(first, text)
    const weight = wanted?.weight ?? 'Bold'
    const found = new Map<string, Face | undefined>()
    const shapes = cjkLanguage(text, language)
    for (const letter of new Set(lettersOf(text))) {
      found.set(letter, first?.has(letter) ? first : undefined)
      if (found.get(letter)) continue
      const inter = wanted === undefined ? [fontFileOf('Inter Bold')] : []
      for (const file of [...inter, ...standIns(letter, weight, shapes)]) {
        const face = await this.#installed(file)
        if (!face?.has(letter)) continue
        found.set(letter, face)
        break
      }
    }
    return { faceOf: (letter) => found.get(letter) ?? undefined }
  }

  /** The font files of these families, by the names under which they are written. */
  files(families: Iterable<string>): Map<string, Uint8Array> {
    return new Map(
      [...families].flatMap((family) => {
        const source = this.#sources.get(family)
        return source ? [[family, rebuildFont(source.bytes, family, source.index)] as const] : []
      }),
    )
  }

  async #installed({ name, index }: FontFile): Promise<Face | undefined> {
    const key = `${name} ${index}`
    const known = this.#faces.get(key)
    if (known) return known
    const opening = this.#open(name, index)
    this.#faces.set(key, opening)
    return opening
  }

  async #open(name: string, index: number): Promise<Face | undefined> {
    const path = await pathOfFont(name)
    return path === undefined ? undefined : this.#take({ bytes: await readFile(path), index })
  }

  #own({ bytes, from }: Exclude<FontWish, string>): Face {
    const known = this.#sent.get(from)
    if (known) return known
    if (isCollection(bytes))
      throw new FontFault('holds several fonts; only TTF and OTF are supported')
    const face = this.#take({ bytes: rebuildFont(bytes, 'sent'), index: 0 })
    this.#sent.set(from, face)
    return face
  }

  #take(source: FontSource): Face {
    const family = `spool${this.#sources.size}`
    this.#sources.set(family, source)
    return openFace(family, source)
  }
}

/**
 * The program that draws captions shapes their letters again for every picture. An intricate honest font needs a tenth of this
 * for each letter.
 */
const mostLetterMs = 2
const lettersTried = 400
/** The first letters also warm up the shaper; this much processor time is enough to tell. */
const enoughMs = 500

/** Refuses a font that takes too long to shape the letters of this text. */
function refuseSlow(face: Face, text: string): void {
  const before = process.cpuUsage()
  for (let [letters, length] = [0, 10]; letters < lettersTried; length++) {
    // Each piece has its own length, because a width that is already known would cost nothing.
    face.widthOf(
      text
        .slice(letters % text.length)
        .padEnd(length, text)
        .slice(0, length),
    )
    letters += length
    const ms = process.cpuUsage(before).user / 1000
    if (ms <= enoughMs || ms / letters <= mostLetterMs) continue
    const each = Math.ceil(ms / letters)
    throw new FontFault(
      `takes ${each} ms to set one letter; at most ${mostLetterMs} ms are allowed`,
    )
  }
}

function openFace(family: string, { bytes, index }: FontSource): Face {
  const face = new HarfBuzzFace(new Blob(bytes), index)
  const font = new Font(face)
  const widths = new Map<string, number>()
  return {
    family,
    has: (letter) =>
      [...letter.replace(unseen, '')].every((one) => {
        const glyph = font.glyph(one.codePointAt(0) ?? 0)
        return glyph !== undefined && glyph !== 0
      }),
    widthOf(text) {
      const known = widths.get(text)
      if (known !== undefined) return known
      const width = shapedWidth(font, text) / face.upem
      widths.set(text, width)
      return width
    },
  }
}

function shapedWidth(font: Font, text: string): number {
  const buffer = new Shaped()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  shape(font, buffer)
  return buffer.getGlyphPositions().reduce((sum, { xAdvance }) => sum + xAdvance, 0)
}
