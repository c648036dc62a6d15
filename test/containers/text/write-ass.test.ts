import { describe, expect, it } from 'vitest'
import { readColor } from '../../../worker/contract/options/picture/contrast.ts'
import {
  colorTags,
  escapeText,
  writeAss,
  writeBox,
  writeRuns,
} from '../../../containers/text/write-ass.ts'

it('escapeText leaves no tag, and no line break that a program would see', () => {
  expect(escapeText('{\\an8}a\\Nb\\hc')).toBe('\\{\\\u2060an8\\}a\\\u2060Nb\\\u2060hc')
  const hostile = ['{', '}', '\\', 'N', 'n', 'h', 'p1'].flatMap((a) =>
    ['{', '}', '\\', 'N'].map((b) => a + b),
  )
  for (const text of hostile) {
    const written = escapeText(text)
    expect(written.replace(/\\[{}]/g, '')).not.toMatch(/[{}]/)
    expect(written).not.toMatch(/\\[Nnh\\]/)
  }
})

describe('writeAss', () => {
  it('writes times in hundredths of a second, one line for each event', () => {
    const canvas = { width: 320, height: 180, family: 'spool0' }
    const content = writeRuns([{ family: 'spool0', text: 'a, b' }], false)
    const file = writeAss(canvas, [{ layer: 1, from: 6_105, to: 360_000, content }])
    const event = file.split('\n').find((line) => line.startsWith('Dialogue:'))
    expect(event).toBe('Dialogue: 1,0:01:01.05,1:00:00.00,text,,0,0,0,,{\\fnspool0}\u200Ea, b')
    expect(file).toContain('PlayResX: 320\nPlayResY: 180\n')
  })

  it('writes colours as blue, green, red, and how transparent they are', () => {
    expect(colorTags(1, readColor('#11223380'))).toBe('\\1c&H332211&\\1a&H7F&')
  })

  it('refuses numbers that no picture has', () => {
    const box = { x: Number.NaN, y: 0, width: 10, height: 10, radius: 2 }
    expect(() => writeBox(box, readColor('#000000'))).toThrow('cannot stand')
  })
})
