import { describe, expect, it } from 'vitest'
import { readCaptionFile } from '../../../worker/contract/options/captions/read-caption-file.ts'
import { faultsOf, minimalBody } from '../../support/node/create-faults.ts'

const cuesOf = (text: string) => {
  const read = readCaptionFile(text)
  if (!read.ok) throw new Error(read.fault)
  return read.cues
}
const faultOf = (text: string) => {
  const read = readCaptionFile(text)
  return read.ok ? undefined : read.fault
}

describe('readCaptionFile', () => {
  it('reads SRT, also without indexes, hours or blank lines between cues', () => {
    const srt =
      '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Hello</i>,\r\n{\\an8}a < b\r\n2\r\n00:03,5 --> 00:04,000\r\nthere'
    expect(cuesOf(srt)).toEqual([
      { startTime: 1, endTime: 2.5, text: 'Hello, a < b' },
      { startTime: 3.5, endTime: 4, text: 'there' },
    ])
  })

  it('reads VTT without its notes, styles and settings, and keeps the times of words', () => {
    const vtt =
      'WEBVTT - talk\n\nNOTE not this\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:03.000 line:0 align:left\n<v Ann>So <00:02.000><c.yellow>we &amp; you</c>'
    expect(cuesOf(vtt)).toEqual([
      {
        ...{ startTime: 1, endTime: 3, text: 'So we & you' },
        words: [
          { startTime: 1, endTime: 2, text: 'So' },
          { startTime: 2, endTime: 3, text: 'we & you' },
        ],
      },
    ])
  })

  it('names the line of a fault', () => {
    expect(faultOf('1\n00:00:01,000 -> 00:00:02,000\nHello')).toMatch(/^line 2: expected a time/)
    expect(faultOf('1\n00:01,0 --> 00:02,0\nA\n\n2\n00:05,0 --> 00:04,0\nB')).toBe(
      'line 6: the cue ends before it starts',
    )
    expect(faultOf('')).toMatch(/^line 1: /)
    expect(faultOf('WEBVTT\n\n')).toMatch(/^line 1: /)
  })

  it('takes little time for hostile text', () => {
    const startedAt = performance.now()
    for (const part of ['<', '{\\', '<00:', '\n\n1\n', '-->', ' ']) {
      faultOf(`00:01,0 --> 00:02,0\n${part.repeat(200_000 / part.length)}`)
    }
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  it('refuses a cue or a letter that is longer than any reader could read', () => {
    const cue = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`
    expect(faultOf(cue('word '.repeat(400)))).toBeUndefined()
    expect(faultOf(cue('a'.repeat(300_000)))).toBe(
      'line 2: the cue has 300,000 characters; at most 2,000 are allowed',
    )
    const says = 'characters, its marks and joiners among them; at most 32 are allowed'
    expect(faultOf(cue(`a${'\u0301'.repeat(31)}`))).toBeUndefined()
    for (const joined of ['\u200D', '\u0301', '\u034F']) {
      expect(faultOf(cue(`word a${joined.repeat(1_000)}`))).toBe(
        `line 2: one letter of the cue has 1,001 ${says}`,
      )
    }
    expect(faultOf(cue('👩\u200D'.repeat(50)))).toContain(`one letter of the cue has 100 ${says}`)
    const flags = '👨‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿🧑🏻‍❤️‍💋‍🧑🏼'.repeat(20)
    for (const honest of [flags, '日本語'.repeat(300), 'क्षत्रियत्व'.repeat(30), '🇩🇪'.repeat(200)]) {
      expect(faultOf(cue(honest))).toBeUndefined()
    }
  })
})

describe('captions', () => {
  const faults = (captions: unknown) =>
    faultsOf({ ...minimalBody, captions }).map(({ field }) => field)

  it('takes every style and place, and one source', () => {
    expect(faults({})).toEqual([])
    expect(faults({ style: 'karaoke', position: { y: '70%' }, size: '6%', maxLines: 1 })).toEqual(
      [],
    )
    expect(
      faults({ embed: true, burn: false, source: { url: 'https://example.com/a.vtt' } }),
    ).toEqual([])
    expect(faults({ style: 'loud' })).toEqual(['captions.style'])
    expect(faults({ burn: false })).toEqual(['captions.burn'])
    expect(faults({ maxLines: 4 })).toEqual([])
    expect(faults({ maxLines: 5 })).toEqual(['captions.maxLines'])
    expect(faults({ source: {} })).toEqual(['captions.source'])
    expect(faults({ source: { words: [{ text: 'a', startTime: 2, endTime: 1 }] } })).toEqual([
      'captions.source.words[0].endTime',
    ])
    const [fault] = faultsOf({ ...minimalBody, captions: { source: { text: 'Hello' } } })
    expect(fault).toMatchObject({ field: 'captions.source.text' })
    expect(fault?.message).toMatch(/^Line 1: /)
  })

  it('names the letter of a word or a text that is too long to be drawn', () => {
    const text = `a${'\u200D'.repeat(100)}`
    const words = [{ text, startTime: 0, endTime: 1 }]
    const elements = [{ type: 'text', text }]
    const message = 'Must have no letter of more than 32 characters; marks and joiners count'
    expect(faultsOf({ ...minimalBody, captions: { source: { words } }, elements })).toEqual([
      { field: 'captions.source.words[0].text', message },
      { field: 'elements[0].text', message },
    ])
  })
})
