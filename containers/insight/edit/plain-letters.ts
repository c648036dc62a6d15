import { numberWord } from './number-words.ts'

/**
 * The letters of a text for comparison: without capitals, marks and spaces. Numbers below a hundred are spelled out, because one
 * recogniser writes `3` and another `three`.
 */
export function plainLetters(text: string, language = 'en'): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('%', ' percent ')
    .replaceAll('&', ' and ')
    .replaceAll(/(?<![\d.,])\d{1,2}(?![\d.,]*\d)/gu, (digits) =>
      numberWord(Number(digits), language),
    )
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '')
}
