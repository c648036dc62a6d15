import { distance } from 'fastest-levenshtein'
import { isOtherNameOf } from './other-names.ts'

/**
 * Which of the known names was meant: the same one written otherwise (`file_url`), one that people call so elsewhere
 * (`quality`), or one that is a typo away.
 */
export function nearestName(asked: string, known: readonly string[]): string | undefined {
  const plain = plainName(asked)
  if (plain === '') return undefined
  return (
    known.find((name) => plainName(name) === plain) ??
    known.find((name) => isOtherNameOf(plain, name)) ??
    nearestSpelling(plain, known)
  )
}

/** Letters and digits in lower case: `file_url` and `File-URL` are `fileurl`. A name may come from a client, and be long. */
function plainName(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

function nearestSpelling(asked: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, plain: plainName(name) }))
    .map(({ name, plain }) => ({ name, plain, edits: distance(asked, plain) }))
    .sort((a, b) => a.edits - b.edits)
  return best && isTypo(asked, best.plain, best.edits) ? best.name : undefined
}

/** Short names are soon another word: in three letters only a swap is a typo, in four one edit more. */
function isTypo(asked: string, name: string, edits: number): boolean {
  if (name.length < 5 && sortedLetters(asked) === sortedLetters(name)) return name.length > 2
  if (name.length < 4) return false
  return edits <= (name.length === 4 ? 1 : 2)
}

function sortedLetters(text: string): string {
  return [...text].sort().join('')
}
