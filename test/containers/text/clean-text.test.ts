import { describe, expect, it } from 'vitest'
import {
  cleanLine,
  cleanLines,
  isRightToLeft,
  lettersOf,
} from '../../../containers/text/clean-text.ts'

describe('cleanLines', () => {
  it('begins a new line at every kind of line break', () => {
    expect(cleanLines('a\nb\r\nc\rd\u2028e')).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('leaves out controls, and marks that turn the direction of text around', () => {
    expect(cleanLine('a\u0000\u0007b\u202Eevil\u202C\u2066c\u2069\u200F')).toBe('abevilc')
    expect(cleanLine('tab\there\uFEFF')).toBe('tab here')
  })

  it('keeps six marks above a letter, and writes letters with accents as one', () => {
    expect(cleanLines(`x${'\u0301'.repeat(500)}y`)).toEqual([`x${'\u0301'.repeat(6)}y`])
    expect(cleanLines('e\u0301')).toEqual(['é'])
  })

  it('keeps lone halves of letters from everybody', () => {
    expect(cleanLines('a\uD800b')[0]).toBe('a\uFFFDb')
  })

  it('leaves tags of subtitle files alone: they are text', () => {
    expect(cleanLine('{\\an8}\\N %{x} <b>')).toBe('{\\an8}\\N %{x} <b>')
  })
})

it('isRightToLeft goes by the first letter', () => {
  expect(isRightToLeft('123 مرحبا hello')).toBe(true)
  expect(isRightToLeft('hello שלום')).toBe(false)
  expect(isRightToLeft('123 !')).toBe(false)
})

it('lettersOf keeps what a reader sees as one letter', () => {
  expect(lettersOf('ệ👨‍👩‍👧क्षि')).toHaveLength(3)
})
