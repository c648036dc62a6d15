import { isUnspaced } from '../../../worker/contract/captions/unspaced.ts'

/** A word without the marks around it. */
export function bareWord(written: string): string {
  return written.replaceAll(/^[^\p{L}\p{N}$€£]+|[^\p{L}\p{N}%]+$/gu, '')
}

/**
 * What the forms of a word have in common, so that "pricing" and "prices" count as one. Endings are cut off by rule, so unrelated
 * words may share a stem.
 */
export function stemOf(word: string, language: string): string {
  const plain = word
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]s?$/u, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  const isEnglish = language === 'en'
  const ending = isEnglish
    ? /(?:ings?|ies|ied|ed|es|ly|s|e|y)$/u
    : /(?:en|em|er|es|os|as|[aeions])$/u
  const stem = plain.replace(ending, '')
  if (stem.length < 3) return plain
  return isEnglish ? stem.replace(/([bdfgmnprt])\1$/u, '$1') : stem
}

/** Common English words that mean little although they are as long as words that say something. */
const empty = new Set(
  `about above actually after again against almost along already also although always among another anyone anything
  around away back because been before began begin beginning begins being below best better between both came cannot could didn
  does doing don done down each either else enough even ever every everybody everyone everything example find first from gave getting give goes going
  gone gonna good great have having hello here hers herself himself however into itself just keep kind knew know known last
  least less like little long look looking lots made make makes making many maybe mean might more most much must myself need never
  next nothing often okay once only other others over people perhaps please point probably quite rather really right said
  same says second seem seems seen shall should show since some somebody someone something sometimes somewhat soon still
  such sure take taken takes talk tell than thank thanks that their them themselves then there these they thing things think
  this those though thought three through time times today together told took toward turn under until upon very want wanted
  wants ways well went were what whatever when where whether which while whole whom whose will with within without word
  words would year years your yours yourself
  welcome hundred hundreds thousand thousands million millions billion percent five seven eight nine eleven twelve twenty thirty
  forty fifty sixty seventy eighty ninety`.split(/\s+/),
)

/** Whether a word is likely to say something about the subject. */
export function contentStem(word: string, language: string): boolean {
  // "Let's" means no more than "let".
  const letters = word.toLowerCase().replace(/['’](?:s|re|ve|ll|d|m|t)$/u, '')
  if (!/^\p{L}/u.test(letters)) return false
  return letters.length >= (isUnspaced(language) ? 2 : 4) && !empty.has(letters)
}
