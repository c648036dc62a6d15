const listed = (words: string): readonly string[] => words.split(' ')

/** How a language says the numbers below a hundred, without spaces and marks between words. */
type Numbers = {
  /** From zero on, as far as no rule tells them. */
  readonly small: readonly string[]
  /** From twenty to ninety. */
  readonly tens: readonly string[]
  /** What the tens and a unit are together. */
  readonly join: (tens: string, unit: string) => string
}

const inOrder = (tens: string, unit: string): string => `${tens}${unit}`

const numbers: Readonly<Record<string, Numbers>> = {
  en: {
    small: listed(
      'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    ),
    tens: listed('twenty thirty forty fifty sixty seventy eighty ninety'),
    join: inOrder,
  },
  de: {
    small: listed(
      'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
    ),
    tens: listed('zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'),
    join: (tens, unit) => `${unit.replace('eins', 'ein')}und${tens}`,
  },
  es: {
    small: listed(
      'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
    ),
    tens: listed('veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'),
    join: (tens, unit) => `${tens}y${unit}`,
  },
  fr: {
    small: listed(
      'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept dixhuit dixneuf',
    ),
    // Seventy and ninety go on counting from sixty and eighty.
    tens: listed('vingt trente quarante cinquante soixante soixante quatrevingt quatrevingt'),
    join: (tens, unit) =>
      tens !== 'quatrevingt' && (unit === 'un' || unit === 'onze')
        ? `${tens}et${unit}`
        : `${tens}${unit}`,
  },
  it: {
    small: listed(
      'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
    ),
    tens: listed('venti trenta quaranta cinquanta sessanta settanta ottanta novanta'),
    join: (tens, unit) =>
      `${/^[uo]/u.test(unit) ? tens.slice(0, -1) : tens}${unit.replace(/^tre$/u, 'tré')}`,
  },
  nl: {
    small: listed(
      'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien',
    ),
    tens: listed('twintig dertig veertig vijftig zestig zeventig tachtig negentig'),
    join: (tens, unit) => `${unit}${unit.endsWith('e') ? 'ë' : 'e'}n${tens}`,
  },
  pl: {
    small: listed(
      'zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście',
    ),
    tens: listed(
      'dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt',
    ),
    join: inOrder,
  },
  pt: {
    small: listed(
      'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove',
    ),
    tens: listed('vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'),
    join: (tens, unit) => `${tens}e${unit}`,
  },
}

/** A number below a hundred as it is said, without spaces; as it is written, where that is not known. */
export function numberWord(number: number, language: string): string {
  const known = numbers[language]
  if (!known) return String(number)
  const small = known.small[number]
  if (small !== undefined) return small
  const tens = known.tens[Math.floor(number / 10) - 2] ?? ''
  const continues = tens === known.tens[Math.floor(number / 10) - 3]
  const unit = (number % 10) + (continues ? 10 : 0)
  if (unit === 0) return tens === 'quatrevingt' ? 'quatrevingts' : tens
  return known.join(tens, known.small[unit] ?? '')
}
