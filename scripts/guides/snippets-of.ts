/** One block of code of a page. */
export type Snippet = { lang: string; text: string; line: number }

export function snippetsOf(markdown: string): Snippet[] {
  const found = markdown.matchAll(/^( *)```(\w*).*\n([\s\S]*?)^ *```$/gm)
  return [...found].map(({ 1: indent = '', 2: lang = '', 3: text = '', index }) => ({
    lang,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    line: markdown.slice(0, index).split('\n').length,
  }))
}
