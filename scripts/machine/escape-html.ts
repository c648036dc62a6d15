const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** For texts, and for attributes between double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => named[sign] ?? sign)
}
