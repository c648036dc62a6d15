export type CueText = {
  readonly id: number
  readonly text: string
  /** The second at which it is shown, and for how long. */
  readonly at: number
  readonly seconds: number
  /** How many characters can be read while it is shown. */
  readonly most: number
}

/** `suspicious`: it is hardly a translation of the cue. `echo`: it is the cue itself, which is right for a list of names. */
type TextFault = 'suspicious' | 'echo' | 'term' | 'long'
export type JudgedText = { readonly text: string; readonly faults: readonly TextFault[] }

/** Judges the answer for one cue. */
export function candidateOf(
  cue: CueText,
  answer: string,
  glossary: Readonly<Record<string, string>>,
): JudgedText {
  const text = answer
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .toWellFormed()
  const isOf: Readonly<Record<TextFault, boolean>> = {
    suspicious: isSuspicious(cue.text, text, glossary),
    echo: echoes(cue.text, text, glossary),
    term: leavesOutTerm(cue.text, text, glossary),
    long: [...text].length > cue.most,
  }
  return { text, faults: all.filter((fault) => isOf[fault]) }
}

const all: readonly TextFault[] = ['suspicious', 'echo', 'term', 'long']
/** How much each fault counts against an answer. */
const weights: Readonly<Record<TextFault, number>> = { suspicious: 8, echo: 4, term: 2, long: 1 }

/** The best answer by its faults and, of equally good ones, the shortest; never a suspicious one. */
export function bestOf(candidates: readonly JudgedText[]): JudgedText | undefined {
  const weightOf = ({ faults }: JudgedText): number =>
    faults.reduce((sum, fault) => sum + weights[fault], 0)
  return candidates
    .filter(({ faults }) => !faults.includes('suspicious'))
    .toSorted((a, b) => weightOf(a) - weightOf(b) || [...a.text].length - [...b.text].length)[0]
}

/** Translations are seldom three times as long, and only scripts with a character for a word make them a tenth. */
const growth = { times: 3, more: 40 } as const
const shrinks = 12
/** A sentence this long is seldom the same in two languages. */
const mostSame = 25
/** Addresses and marks that are not spoken. */
const unspoken = /https?:|www\.|[<>{}`\\]|\p{Bidi_Control}/iu

function isSuspicious(
  said: string,
  text: string,
  glossary: Readonly<Record<string, string>>,
): boolean {
  const [from, to] = [[...said].length, [...text].length]
  if (/[\p{L}\p{N}]/u.test(said) && !/[\p{L}\p{N}]/u.test(text)) return true
  if (to > from * growth.times + growth.more || to < from / shrinks) return true
  const known = [said, ...Object.values(glossary)].join(' ')
  return (unspoken.test(text) && !unspoken.test(known)) || namesOtherSite(known, text)
}

/** Such as "spool.example". A sentence that follows a full stop without a space begins with a capital. */
const site = /([\p{L}\p{N}][\p{L}\p{N}-]+)\.[a-z]{2,}(?![\p{L}\p{N}])/gu

/** Whether a translation names a site that the cue does not, even as "my dash shop dot com"; in another script nobody can tell. */
function namesOtherSite(known: string, text: string): boolean {
  const letters = plain(known).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const isKnown = (part: string): boolean => letters.includes(part)
  return (
    /[a-z]/u.test(letters) &&
    [...text.matchAll(site)].some(([, name = '']) => !plain(name).split('-').every(isKnown))
  )
}

/** "Thanks" and "Thank you" are one word in many languages, and whole sentences are seldom the same. */
const mostAlike = { cues: 2, characters: 20 }

/** Texts that a model repeats for many cues in place of translations, such as apologies. */
export function repeatedIn(
  answers: ReadonlyMap<number, string>,
  cues: readonly CueText[],
): ReadonlySet<string> {
  const said = Map.groupBy(cues, ({ id }) => answers.get(id) ?? '')
  const repeated = [...said].filter(([answer, from]) => {
    const different = new Set(from.map(({ text }) => plain(text))).size
    return different > mostAlike.cues && [...answer].length > mostAlike.characters
  })
  return new Set(repeated.map(([answer]) => answer))
}

/** Whether the answer is the cue itself. Terms of the glossary are the same in both languages, and do not count. */
function echoes(said: string, text: string, glossary: Readonly<Record<string, string>>): boolean {
  if (plain(said) !== plain(text)) return false
  const kept = Object.entries(glossary).filter(([term, same]) => plain(term) === plain(same))
  const own = kept.reduce((rest, [term]) => rest.replaceAll(plain(term), ''), plain(said))
  return [...own].length > mostSame
}

function leavesOutTerm(
  said: string,
  text: string,
  glossary: Readonly<Record<string, string>>,
): boolean {
  const translated = plain(text)
  return Object.entries(glossary).some(
    ([term, translation]) => says(said, term) && !translated.includes(plain(translation)),
  )
}

/** Whether a text contains a term of a glossary as whole words. */
export function says(text: string, term: string): boolean {
  const [all, one] = [plain(text), plain(term)]
  for (let at = all.indexOf(one); at !== -1; at = all.indexOf(one, at + 1)) {
    const isWhole = !isLetter(all.slice(0, at).at(-1)) && !isLetter(all.at(at + one.length))
    if (isWhole) return true
  }
  return false
}

const isLetter = (one: string | undefined): boolean =>
  one !== undefined && /[\p{L}\p{N}]/u.test(one)

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()
