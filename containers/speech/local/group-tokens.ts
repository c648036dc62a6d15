import { isUnspaced } from '../../../worker/contract/layout/unspaced.ts'
import type { TimedToken } from './recogniser.ts'
import { beginsWord, textOfTokens, type Vocabulary } from './vocabulary.ts'

type Group = readonly TimedToken[]

export function spellingOf(vocabulary: Vocabulary, group: Group): string {
  const tokens = group.map(({ token }) => token)
  return textOfTokens(vocabulary, tokens)
}

export const isMark = (spelling: string): boolean => /^[^\p{L}\p{N}]+$/u.test(spelling)

/** The tokens of each word, with the punctuation at it. */
export function groupTokens(tokens: Group, vocabulary: Vocabulary, language: string): Group[] {
  const groups = isUnspaced(language)
    ? unspacedGroups(tokens, vocabulary, language)
    : spacedGroups(tokens, vocabulary)
  return joinMarks(groups, vocabulary)
}

function spacedGroups(tokens: Group, vocabulary: Vocabulary): Group[] {
  const groups: TimedToken[][] = []
  for (const timed of tokens) {
    if (groups.length === 0 || beginsWord(vocabulary, timed.token)) groups.push([timed])
    else groups.at(-1)?.push(timed)
  }
  return groups
}

/** Cuts where both a word, as dictionaries see it, and a token end. */
function unspacedGroups(tokens: Group, vocabulary: Vocabulary, language: string): Group[] {
  const characters = wholeCharacters(tokens, vocabulary)
  const text = characters.map((unit) => unit.text).join('')
  const words = new Intl.Segmenter(language, { granularity: 'word' }).segment(text)
  const boundaries = new Set(Array.from(words, ({ index }) => index))
  const groups: TimedToken[][] = []
  let at = 0
  for (const unit of characters) {
    if (groups.length === 0 || boundaries.has(at)) groups.push([...unit.group])
    else groups.at(-1)?.push(...unit.group)
    at += unit.text.length
  }
  return groups
}

type Unit = { readonly group: TimedToken[]; readonly text: string }

/** A token may be only a part of a character; the next ones then complete it. */
function wholeCharacters(tokens: Group, vocabulary: Vocabulary): Unit[] {
  const units: Unit[] = []
  let open: TimedToken[] = []
  for (const timed of tokens) {
    open.push(timed)
    const text = rawText(vocabulary, open)
    if (text.endsWith(incomplete) && open.length < longestCharacter) continue
    units.push({ group: open, text })
    open = []
  }
  return open.length === 0 ? units : [...units, { group: open, text: rawText(vocabulary, open) }]
}

const incomplete = '\uFFFD'
/** In bytes, and so in tokens. */
const longestCharacter = 4

function rawText(vocabulary: Vocabulary, group: Group): string {
  const bytes = group.map(({ token }) => vocabulary[token] ?? new Uint8Array())
  return Buffer.concat(bytes).toString('utf8')
}

/** These belong to the word after them. */
const opening = /^[-"'“‘¿¡([{«「『《（]+$/u

/** Joins marks that stand alone to the word that they belong to. */
function joinMarks(groups: readonly Group[], vocabulary: Vocabulary): Group[] {
  const words: TimedToken[][] = []
  let before: TimedToken[] = []
  for (const group of groups) {
    const spelling = spellingOf(vocabulary, group)
    const last = words.at(-1)
    if (!isMark(spelling)) {
      words.push([...before, ...group])
      before = []
    } else if (last && !opening.test(spelling)) last.push(...group)
    else before.push(...group)
  }
  if (before.length > 0) words.push(before)
  return words
}
