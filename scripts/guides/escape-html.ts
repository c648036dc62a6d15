const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => named[sign] ?? sign)
