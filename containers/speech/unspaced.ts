/** Languages that are written without spaces between words. */
const unspacedLanguages = ['zh', 'yue', 'ja', 'th', 'lo', 'km', 'my', 'bo']

export function isUnspaced(language: string): boolean {
  return unspacedLanguages.includes(language)
}
