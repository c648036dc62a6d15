import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { limits } from './limits.ts'

/**
 * An object that names every field it does not know, with the nearest one it does. `misplaced` explains fields that
 * exist elsewhere, such as `volume` on an image.
 */
export function closedObject<Shape extends z.ZodRawShape>(
  shape: Shape,
  misplaced: Readonly<Record<string, string>> = {},
) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      return issue.keys
        .slice(0, limits.reportedFaults)
        .map((key) => explainUnknownField(key, known, misplaced))
        .join(faultSeparator)
    },
  })
}

/** Zod gives one message for all unknown keys of an object; `listFaults` takes it apart again. */
export const faultSeparator = '\n'

export function explainUnknownField(
  key: string,
  known: readonly string[],
  misplaced: Readonly<Record<string, string>> = {},
): string {
  if (Object.hasOwn(misplaced, key) && misplaced[key]) return misplaced[key]
  const nearest = nearestName(key, known)
  return nearest ? `Unknown field; did you mean ${nearest}?` : 'Unknown field'
}

function nearestName(key: string, known: readonly string[]): string | undefined {
  const asked = key.slice(0, 64).toLowerCase()
  const ranked = known
    .map((name) => ({ name, edits: distance(asked, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const [best] = ranked
  // More than two edits in five letters is another word, not a typo.
  return best && best.edits <= Math.max(2, best.name.length * 0.4) ? best.name : undefined
}
