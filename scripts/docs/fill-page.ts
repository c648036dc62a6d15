import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../machine/checkout.ts'
import { formatText } from '../machine/format-text.ts'

/**
 * Puts each text between its marks in a Markdown page: `<!-- NAME -->` and `<!-- end NAME -->`. It replaces what an
 * earlier run has put there.
 */
export async function fillPage(
  page: string,
  texts: Readonly<Record<string, string>>,
  file: string,
): Promise<string> {
  const filled = Object.entries(texts).reduce((text, [name, inside]) => {
    const marks = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end ${name} -->)`)
    if (!marks.test(text)) throw new Error(`${file} has no marks for "${name}"`)
    return text.replace(
      marks,
      (_, before: string, after: string) => `${before}\n${inside}\n${after}`,
    )
  }, page)
  return formatText(file, filled)
}

/** Writes the tables into a page of the repository. */
export async function writePage(page: string, texts: Record<string, string>): Promise<void> {
  const file = path.join(root, page)
  writeFileSync(file, await fillPage(readFileSync(file, 'utf8'), texts, file))
}
