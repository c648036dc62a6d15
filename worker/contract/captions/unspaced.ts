/** Languages that are written without spaces between words. */
const unspacedLanguages = ['zh', 'yue', 'ja', 'th', 'lo', 'km', 'my', 'bo']

export function isUnspaced(language: string): boolean {
  return unspacedLanguages.includes(language)
}

/** Letters and marks beside which these languages write no space, even next to a foreign word. */
const besideNoSpace =
  /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\u3000-\u303F\uFF00-\uFFEF]/u

/** Whether a space stands between two consecutive words: foreign words keep theirs. */
export function spaceBetween(before: string, after: string, language: string): boolean {
  if (!isUnspaced(language)) return true
  const [last = '', first = ''] = [[...before].at(-1), [...after][0]]
  return ![last, first].some((letter) => letter === '' || besideNoSpace.test(letter))
}

/** Joins consecutive texts, with the spaces of their language. */
export function joinTexts(texts: readonly string[], language: string): string {
  return texts.reduce((all, text) => {
    return all === '' ? text : `${all}${spaceBetween(all, text, language) ? ' ' : ''}${text}`
  }, '')
}
