import { expect, it } from 'vitest'
import { cutToLength } from '../../../../containers/insight/translate/translate-cues.ts'

it.each([
  ['what fits as it is', 'Hasta pronto.', 13, 'es', 'Hasta pronto.'],
  ['whole words', 'Hasta pronto y gracias', 15, 'es', 'Hasta pronto y…'],
  ['to the end of a clause near by', 'Gracias a todos, amigos míos', 24, 'es', 'Gracias a todos…'],
  ['words without spaces', '今日は本当にありがとうございました', 8, 'ja', '今日は本当に…'],
  ['nothing of a word that does not fit', 'Donaudampfschifffahrt', 8, 'de', undefined],
])('leaves %s', (_, text, most, language, left) => {
  expect(cutToLength(text, most, language)).toBe(left)
})
