import { describe, expect, it } from 'vitest'
import {
  measureParts,
  splitForLines,
  wrapParts,
  layOutText,
} from '../../../containers/text/lay-out-text.ts'
import type { Face, Lettering } from '../../../containers/text/font-shelf.ts'

/** A font whose letters are all half as wide as high, and that lacks the letter X. */
const face: Face = {
  family: 'half',
  has: (letter) => letter !== 'X',
  widthOf: (text) => [...text].length / 2,
}
const lettering: Lettering = { faceOf: (letter) => (face.has(letter) ? face : undefined) }

const wrap = (line: string, width: number): string[] =>
  wrapParts(measureParts(line, lettering), width)

describe('wrapParts', () => {
  it('breaks at blanks, which take no room at the end of a line', () => {
    expect(wrap('one two three', 3.5)).toEqual(['one two', 'three'])
    expect(wrap('one two   three', 3.5)).toEqual(['one two', 'three'])
  })

  it('breaks a word that is wider than a line between letters', () => {
    expect(wrap('abcdefgh ij', 2)).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrap('abc', 0.1)).toEqual(['a', 'b', 'c'])
  })

  it('breaks between words where a language writes no blanks, and never before its full stop', () => {
    expect(splitForLines('東京は大きい。とても')).toEqual(
      expect.arrayContaining([expect.stringMatching(/。$/)]),
    )
    expect(wrap('東京は大きい。とても', 2).join('')).toBe('東京は大きい。とても')
    for (const line of wrap('東京は大きい。とても', 2)) expect(line).not.toMatch(/^。/)
  })

  it('ends no line with a bracket or quote that opens', () => {
    expect(splitForLines('私は「東京」へ。（たぶん）')).toEqual([
      ...['私', 'は', '「東京」', 'へ。', '（たぶん）'],
    ])
    expect(splitForLines('東京(大きい) “とても” one(two) “three”')).toEqual([
      ...['東京', '(大きい) ', '“とても” ', 'one(two) ', '“three”'],
    ])
  })

  it('keeps empty lines', () => {
    expect(wrap('', 5)).toEqual([''])
  })
})

describe('layOutText', () => {
  const room = { lettering, fontSize: 10, lineHeight: 1.2, maxWidth: 30, maxHeight: 100 }

  it('measures lines in pixels', () => {
    const block = layOutText({ ...room, text: 'one two\nsix' })
    expect(block.lines.map(({ width }) => width)).toEqual([1.5, 1.5, 1.5])
    expect(block).toMatchObject({ fontSize: 10, width: 15, height: 36, linesLeftOut: 0 })
  })

  it('takes smaller letters until the lines fit, and then leaves lines out', () => {
    const block = layOutText({ ...room, text: 'one two six ten', maxHeight: 24 })
    expect(block.fontSize).toBeLessThan(10)
    expect(block.height).toBeLessThanOrEqual(24)
    const crowded = layOutText({ ...room, text: 'a\n'.repeat(40), maxHeight: 36 })
    expect(crowded.lines).toHaveLength(5)
    expect(crowded.linesLeftOut).toBe(36)
  })

  it('names letters without a font once, and leaves them out', () => {
    const block = layOutText({ ...room, text: 'aXbXX' })
    expect(block.missing).toEqual(['X'])
    expect(block.lines[0]?.runs).toEqual([{ family: 'half', text: 'ab' }])
  })

  it('computes for less than a second on 5000 hostile letters', () => {
    const text = 'ᚠ{\\b1}'.repeat(833)
    const before = process.cpuUsage()
    layOutText({ ...room, text, maxHeight: 10 })
    const { user, system } = process.cpuUsage(before)
    expect(user + system).toBeLessThan(1_000_000)
  })
})
