const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/**
 * The letters of a text as they are compared: without capitals, marks and spaces. Numbers up to 99 are spelled, because
 * one recogniser writes `3` and another `three`.
 */
export function plainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('%', ' percent ')
    .replaceAll('&', ' and ')
    .replaceAll(/(?<![\d.,])\d{1,2}(?![\d.,]*\d)/gu, (digits) => spelled(Number(digits)))
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '')
}

function spelled(number: number): string {
  const unit = small[number % 10] ?? ''
  if (number < small.length) return small[number] ?? ''
  return `${tens[Math.floor(number / 10)] ?? ''}${number % 10 === 0 ? '' : unit}`
}
