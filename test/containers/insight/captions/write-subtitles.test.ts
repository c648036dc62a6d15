import { describe, expect, it } from 'vitest'
import { readVtt, writeSrt, writeVtt } from '../../../../worker/contract/captions/write-captions.ts'

const captions = [
  { startMs: 500, endMs: 1_750, lines: ['Tom & Jerry', 'a < b --> c'] },
  { startMs: 3_723_004, endMs: 3_724_004, lines: ['The end.'] },
]

it('readVtt reads what writeVtt has written', () => {
  const captions = [
    { startMs: 500, endMs: 1_250, lines: ['R&D\u2028<is>', 'that -> this'], speaker: 'Ann & Bo' },
    { startMs: 3_601_000, endMs: 3_602_001, lines: ['Nobody <v Ann>told.'] },
  ]
  expect(readVtt(writeVtt(captions))).toEqual(captions)
  expect(readVtt(writeVtt([]))).toEqual([])
})

describe('writeSrt', () => {
  it('numbers captions, and replaces an arrow in the text that would look like a time', () => {
    expect(writeSrt(captions)).toBe(
      '1\n00:00:00,500 --> 00:00:01,750\nTom & Jerry\na < b → c\n\n' +
        '2\n01:02:03,004 --> 01:02:04,004\nThe end.\n',
    )
  })

  it('is valid and not quite empty when nobody speaks', () => {
    expect(writeSrt([])).toBe('\n')
  })
})

describe('writeVtt', () => {
  it('escapes text that would be markup', () => {
    expect(writeVtt(captions)).toBe(
      'WEBVTT\n\n00:00:00.500 --> 00:00:01.750\nTom &amp; Jerry\na &lt; b --&gt; c\n\n' +
        '01:02:03.004 --> 01:02:04.004\nThe end.\n',
    )
  })

  it('holds only its header when nobody speaks', () => {
    expect(writeVtt([])).toBe('WEBVTT\n')
  })
})
