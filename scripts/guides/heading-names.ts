/** Gives each heading of a page the name by which GitHub links to it, so that links work there and here. */
export function nameHeadings(): (text: string) => string {
  const used = new Map<string, number>()
  return (text) => {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')
    const before = used.get(name) ?? 0
    used.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
}
