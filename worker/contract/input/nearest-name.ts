import { distance } from 'fastest-levenshtein'
import { isOtherNameOf } from '../options/words/other-names.ts'

/**
 * Guesses which known name was meant: the same name written differently (`file_url`), a name that is called this
 * elsewhere (`quality`), or one that is a typo away.
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

/**
 * Letters and digits in lower case: `file_url` and `File-URL` become `fileurl`. Cut off, because a client may send a
 * name of any length.
 */
export function plainName(name: string): string {
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

/**
 * A few edits turn a short name into another word: `fillers` is not `files`. With three letters, only swapped letters
 * count as a typo; with up to six, a single edit does too.
 */
function isTypo(asked: string, name: string, edits: number): boolean {
  if (name.length < 7 && sortedLetters(asked) === sortedLetters(name)) return name.length > 2
  if (name.length < 4) return false
  return edits <= (name.length < 7 ? 1 : 2)
}

function sortedLetters(text: string): string {
  return [...text].sort().join('')
}
