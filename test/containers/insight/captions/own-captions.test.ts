import { describe, expect, it } from 'vitest'
import { readOwnCaptions } from '../../../../containers/insight/captions/own-captions.ts'
import { placeSpeech } from '../../../../containers/insight/tidy-speech.ts'

const srt = '1\n00:00:00,500 --> 00:00:01,500\nGrüße\n'

const cue = (from: string, to: string, text: string) => `${from} --> ${to}\n${text}\n\n`
const read = (text: string) => readOwnCaptions({ text }, undefined, undefined)

describe('readOwnCaptions', () => {
  it('reads files in the encodings of old and new systems', () => {
    const files = [
      Buffer.from(`\uFEFF${srt.replaceAll('\n', '\r\n')}`),
      Buffer.from(`\uFEFF${srt}`, 'utf16le'),
      Buffer.from(`\uFEFF${srt}`, 'utf16le').swap16(),
      Buffer.from(srt, 'latin1'),
    ]
    for (const file of files) {
      const { speech } = readOwnCaptions({ url: 'https://example.com/a.srt' }, file, undefined)
      expect(speech.segments).toEqual([{ startTime: 0.5, endTime: 1.5, text: 'Grüße' }])
    }
  })

  it('shows cues that begin together together, and counts those that overlap', () => {
    const { speech, overlaps } = read(
      cue('00:02,000', '00:03,000', 'later') +
        cue('00:00,500', '00:02,500', '- one') +
        cue('00:00,500', '00:01,000', '- two'),
    )
    expect(speech.segments).toEqual([
      { startTime: 0.5, endTime: 2.5, text: '- one - two' },
      { startTime: 2, endTime: 3, text: 'later' },
    ])
    expect(overlaps).toBe(1)
  })

  it('takes more text than anybody says', () => {
    const cues = Array.from({ length: 100 }, (_, i) =>
      cue(`00:${String(i % 60).padStart(2, '0')},000`, '01:59,000', 'long words '.repeat(150)),
    )
    const said = placeSpeech(read(cues.join('')).speech, 120).segments
    expect(said.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(160_000)
  })

  it('knows languages by their letters, for capitals and the shapes of characters', () => {
    const known = ['字幕', 'かな字幕', '자막', 'ภาษา', 'Ελλάδα', 'Grüße'].map(
      (text) => read(`00:00,500 --> 00:02,000\n${text}\n`).speech.language,
    )
    expect(known).toEqual(['zh', 'ja', 'ko', 'th', 'el', 'und'])
  })
})
