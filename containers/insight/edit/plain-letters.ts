const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** Zero to twenty in other languages. Larger numbers consist of several words there, and stay as they are written. */
const smallIn: Readonly<Record<string, readonly string[]>> = {
  de: 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'.split(
    ' ',
  ),
  es: 'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte'.split(
    ' ',
  ),
  fr: 'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept dixhuit dixneuf vingt'.split(
    ' ',
  ),
  it: 'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti'.split(
    ' ',
  ),
  nl: 'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig'.split(
    ' ',
  ),
  pl: 'zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwadzieścia'.split(
    ' ',
  ),
  pt: 'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove vinte'.split(
    ' ',
  ),
}

/**
 * The letters of a text for comparison: without capitals, marks and spaces. Small numbers are spelled out, because one
 * recogniser writes `3` and another `three`.
 */
export function plainLetters(text: string, language = 'en'): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('%', ' percent ')
    .replaceAll('&', ' and ')
    .replaceAll(/(?<![\d.,])\d{1,2}(?![\d.,]*\d)/gu, (digits) => spelled(Number(digits), language))
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '')
}

function spelled(number: number, language: string): string {
  if (language !== 'en') return smallIn[language]?.[number] ?? String(number)
  const unit = small[number % 10] ?? ''
  if (number < small.length) return small[number] ?? ''
  return `${tens[Math.floor(number / 10)] ?? ''}${number % 10 === 0 ? '' : unit}`
}
