/** A new element with these properties. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}

/** An item of a list for each text. */
export function makeItems(texts: readonly string[]): HTMLLIElement[] {
  return texts.map((textContent) => make('li', { textContent }))
}
