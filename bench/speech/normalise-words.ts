const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

const contractions: readonly [RegExp, string][] = [
  [/\bwon't\b/g, 'will not'],
  [/\bcan't\b/g, 'can not'],
  [/\bcannot\b/g, 'can not'],
  [/n't\b/g, ' not'],
  [/'re\b/g, ' are'],
  [/'ll\b/g, ' will'],
  [/'ve\b/g, ' have'],
  [/'m\b/g, ' am'],
  [/\b(it|that|he|she|there|what|here|where)'s\b/g, '$1 is'],
  [/\blet's\b/g, 'let us'],
]
const spellings: Readonly<Record<string, string>> = {
  okay: 'ok',
  mr: 'mister',
  mrs: 'missus',
  dr: 'doctor',
  colour: 'color',
  harbour: 'harbor',
  grey: 'gray',
}

/** The words of a text in the form in which they are compared: only what is said counts, not how it is written. */
export function normaliseWords(text: string): string[] {
  let plain = text.toLowerCase().replaceAll('’', "'").replaceAll('%', ' percent')
  for (const [written, spoken] of contractions) plain = plain.replaceAll(written, spoken)
  return plain
    .replaceAll(/(?<=\d),(?=\d{3})/g, '')
    .replaceAll(/\d+/g, (digits) => ` ${numberWords(Number(digits))} `)
    .replaceAll("'", '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => spellings[word] ?? word)
}

function numberWords(value: number): string {
  const below = small[value]
  if (below !== undefined) return below
  if (value < 100) return joined(tens[Math.floor(value / 10)], value % 10)
  if (value < 1_000) return joined(`${numberWords(Math.floor(value / 100))} hundred`, value % 100)
  // Years are spoken as two numbers.
  if (value >= 1_100 && value < 2_000)
    return `${numberWords(Math.floor(value / 100))} ${value % 100 === 0 ? 'hundred' : numberWords(value % 100)}`
  if (value < 1_000_000)
    return joined(`${numberWords(Math.floor(value / 1_000))} thousand`, value % 1_000)
  return String(value)
}

function joined(head: string | undefined, rest: number): string {
  return rest === 0 ? String(head) : `${head} ${numberWords(rest)}`
}
