const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** JSON that can stand in a script element: nothing in it ends the element. */
export function jsonFor(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
