import { format, resolveConfig } from 'prettier'

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
  return format(filled, { ...(await resolveConfig(file)), filepath: file })
}
