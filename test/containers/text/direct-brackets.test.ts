import { describe, expect, it } from 'vitest'
import { directBrackets } from '../../../containers/text/direct-brackets.ts'
import { isRightToLeft } from '../../../containers/text/clean-text.ts'

/** The text with `>` and `<` for the marks that turn left-to-right and right-to-left. */
function directed(text: string): string {
  const words = text.split(/(?= )/).map((word) => ({ runs: [{ family: 'a', text: word }] }))
  const drawn = directBrackets(words, { isRightToLeft: isRightToLeft(text) })
  const all = drawn.map(({ runs }) => runs.map((run) => run.text).join('')).join('')
  return all.replaceAll('\u200E', '>').replaceAll('\u200F', '<')
}

describe('directBrackets', () => {
  it('leaves lines of one direction as they are', () => {
    for (const text of ['one (two) [three]', 'один (два)', '詞語（ことば）', '🎬 (1)']) {
      expect(directed(text)).toBe(text)
    }
  })

  it('turns both brackets of a pair like what they enclose', () => {
    expect(directed('כתוב ב-HTML (markup)')).toBe('כתוב ב-HTML >(>markup>)>')
    expect(directed('one كلمات (كلمات).')).toBe('one كلمات <(<كلمات<)<.')
  })

  it('keeps the direction of the line where a letter of it is enclosed, or stands before', () => {
    expect(directed('one (two كلمات) three')).toBe('one >(>two كلمات>)> three')
    expect(directed('one (كلمات) two')).toBe('one >(>كلمات>)> two')
    expect(directed('מילים (word)')).toBe('מילים <(<word<)<')
  })

  it('follows pairs into each other, and marks no bracket without a partner', () => {
    expect(directed('one كلمات [كلمات (كلمات)]')).toBe('one كلمات <[<كلمات <(<كلمات<)<<]<')
    expect(directed('מילים (word [word)')).toBe('מילים <(<word [word<)<')
    expect(directed('מילים 1) word 2) ()')).toBe('מילים 1) word 2) ()')
    expect(directed(`מילים ${'('.repeat(500)}`)).toBe(`מילים ${'('.repeat(500)}`)
  })
})
