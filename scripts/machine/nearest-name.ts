import { distance } from 'fastest-levenshtein'

/** ` Did you mean revoke?`, or nothing when no known name is near. */
export function suggestion(asked: string, known: readonly string[]): string {
  const [best] = known
    .map((name) => ({ name, edits: distance(asked.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  if (!best || best.edits > Math.max(2, best.name.length * 0.4)) return ''
  return ` Did you mean ${best.name}?`
}
