import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isBuiltInFont } from '../../../worker/contract/options/captions/fonts.ts'
import { JobError } from '../../errors/job-error.ts'
import { fontsFolder } from '../../render/captions/draw-text.ts'
import { FontFault } from '../../text/font-file.ts'
import { FontShelf, type FontWish, type Lettering } from '../../text/font-shelf.ts'

/** Setting honest text takes a second or two, also on a busy machine. */
export const textStepMs = 30_000

export const defaultFont = 'Inter Bold'

/** Names no folder: fonts of the system would give surprising results, and take time to scan. */
const fontconfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig></fontconfig>
`

/** The fonts of a job: taken from the system or from fetched files, and put where ffmpeg may read them. */
export class TextFonts {
  readonly #shelf = new FontShelf()
  readonly #written = new Set<string>()
  readonly #folder: string
  readonly #fetched: ReadonlyMap<string, string>

  /** `fetched`: the names of the files in the job folder, by the fields that name them. */
  constructor(folder: string, fetched: ReadonlyMap<string, string>) {
    this.#folder = folder
    this.#fetched = fetched
  }

  /** `field`: the field that names the font, such as `captions.font`. */
  async lettering(
    font: string | undefined,
    field: string,
    text: string,
    language?: string,
  ): Promise<Lettering> {
    try {
      return await this.#shelf.lettering(await this.#wish(font, field), text, language)
    } catch (error) {
      if (!(error instanceof FontFault)) throw error
      throw new JobError('element_unusable', `${field}: the font ${error.message}.`, {
        cause: error,
      })
    }
  }

  /** Writes the files of these fonts, unless an earlier call has written them. */
  async lay(families: Iterable<string>): Promise<void> {
    const folder = path.join(this.#folder, fontsFolder)
    if (this.#written.size === 0) {
      await mkdir(folder, { recursive: true, mode: 0o755 })
      await writeFile(path.join(this.#folder, 'fonts.conf'), fontconfig)
    }
    const wanted = [...families].filter((family) => !this.#written.has(family))
    for (const [family, bytes] of this.#shelf.files(wanted)) {
      await writeFile(path.join(folder, `${family}.otf`), bytes)
      this.#written.add(family)
    }
  }

  async #wish(font: string | undefined, field: string): Promise<FontWish> {
    if (font === undefined) return defaultFont
    if (isBuiltInFont(font)) return font
    const name = this.#fetched.get(field)
    if (name === undefined) throw new Error(`${field} was not fetched`)
    return { bytes: await readFile(path.join(this.#folder, name)), from: name }
  }
}
