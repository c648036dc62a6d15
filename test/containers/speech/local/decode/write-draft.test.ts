import { expect, it } from 'vitest'
import { NextToken, once, type Draft } from '../../../../../containers/speech/local/decode/draft.ts'
import { spellNames } from '../../../../../containers/speech/local/decode/spell-names.ts'
import { textOfTokens, toVocabulary } from '../../../../../containers/speech/local/vocabulary.ts'
import { writeDraft } from '../../../../../containers/speech/local/decode/write-draft.ts'

const pieces = [
  '',
  '▁Sp',
  'ool',
  '▁spoon',
  '▁in',
  's',
  '▁hot',
  '▁',
  '<0xC5>',
  '<0x81>',
  'ó',
  'dź',
  '▁wood',
]
const vocabulary = toVocabulary(pieces)
const end = 0

/** By the text so far: what may follow, and how likely it is. Whatever else follows is as good as impossible. */
type Heard = Readonly<Record<string, Readonly<Record<string, number>>>>

interface Spoken extends Draft<Spoken> {
  readonly add: (token: number) => Promise<Spoken>
}

function draftOf(heard: Heard, tokens: readonly number[], logs: readonly number[]): Spoken {
  const likely = heard[tokens.map((token) => pieces[token]).join('')] ?? { '': 1 }
  const next = new NextToken(
    Float32Array.from(pieces, (piece) => Math.log(likely[piece] ?? 1e-9)),
    end,
  )
  const add = async (token: number) =>
    Promise.resolve(draftOf(heard, [...tokens, token], [...logs, next.logProbability(token)]))
  return { tokens, next, logProbabilities: logs, add: once(add) }
}

async function write(heard: Heard, names: readonly string[]): Promise<string> {
  const speller = spellNames(names, vocabulary)
  const isOver = (tokens: readonly number[]) => tokens.length > 8
  const { draft } = await writeDraft(draftOf(heard, [], []), { end, isOver, names: speller })
  return textOfTokens(vocabulary, draft.tokens)
}

const spoon: Heard = {
  '': { '▁spoon': 0.9, '▁Sp': 0.1 },
  '▁spoon': { '▁in': 1 },
  '▁Sp': { ool: 0.9, s: 0.1 },
  '▁Spool': { '▁in': 1 },
}

it('writes a name where it is nearly as likely as what is written without it', async () => {
  expect(await write(spoon, [])).toBe('spoon in')
  expect(await write(spoon, ['Spool'])).toBe('Spool in')
  expect(await write(spoon, ['Spin'])).toBe('spoon in')
  expect(await write(spoon, ['Spool', 'spoon'])).toBe('spoon in')
  const both = { ...spoon, '': { '▁hot': 0.9, '▁Sp': 0.01, '▁spoon': 0.02 }, '▁hot': { '▁in': 1 } }
  expect(await write(both, ['Spool', 'spoon'])).toBe('spoon in')
  expect(await write(both, ['spoon', 'Spool'])).toBe('spoon in')
})

it('writes no name after which the rest does not fit, and none that is only the beginning of a word', async () => {
  const misfit = { ...spoon, '▁Spool': { '▁in': 1e-6, '▁hot': 1e-6, s: 1e-6, '': 1e-6, ool: 1 } }
  expect(await write(misfit, ['Spool'])).toBe('spoon in')
  const longer = { ...spoon, '▁Spool': { s: 1 } }
  expect(await write(longer, ['Spool'])).toBe('spoon in')
})

it('writes a name in letters that the model has as bytes only', async () => {
  const written = ['▁', '<0xC5>', '<0x81>', 'ó', 'dź', '▁in']
  const spelled = written.map((piece, i) => [written.slice(0, i).join(''), { [piece]: 1 }])
  const heard: Heard = {
    ...(Object.fromEntries(spelled) as Heard),
    '': { '▁wood': 0.9, '▁': 0.1 },
    '▁wood': { '▁in': 1 },
  }
  expect(await write(heard, [])).toBe('wood in')
  expect(await write(heard, ['Łódź'])).toBe('Łódź in')
})
