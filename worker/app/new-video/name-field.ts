/** Written as people write them. */
const shortForms = new Map([
  ['ai', 'AI'],
  ['id', 'ID'],
  ['json', 'JSON'],
  ['url', 'address'],
])

/** The label of a field by its name: `removeSilence` → "Remove silence", `zIndex` → "Z index". */
export function nameField(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => shortForms.get(word.toLowerCase()) ?? word.toLowerCase())
  const label = words.join(' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}
