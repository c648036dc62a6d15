import { describe, expect, it } from 'vitest'
import { joined } from '../../../../worker/contract/captions/caption-lines.ts'
import { captionWords } from '../../../../worker/contract/captions/caption-words.ts'
import { readOwnCaptions } from '../../../../containers/insight/captions/own-captions.ts'

const scripts = {
  Latin: 'ünïcödé',
  Cyrillic: 'приклад',
  Greek: 'λέξεις',
  Arabic: 'كلمات',
  Hebrew: 'מילים',
  Devanagari: 'शब्द',
  Thai: 'คำพูด',
  Han: '詞語',
  Japanese: 'ことば',
  Hangul: '단어',
  Armenian: 'բառեր',
  emoji: '🎬',
} as const

function shown(text: string, language?: string): string {
  const { speech } = readOwnCaptions(
    { text: `1\n00:00:00,000 --> 00:00:02,000\n${text}\n` },
    undefined,
    language,
  )
  return joined(captionWords(speech))
}

describe('captionWords', () => {
  const words = Object.values(scripts)
  const pairs = words.flatMap((one) => words.map((other) => [one, other] as const))

  it.each([undefined, 'en', 'ja', 'th'])(
    'keeps every space of a line of two scripts: %s',
    (language) => {
      for (const [one, other] of pairs) {
        for (const line of [
          `one ${one} ${other} two`,
          `${one}, ${other} – “one two” (three) ${one}`,
        ]) {
          expect(shown(line, language)).toBe(line)
        }
      }
    },
  )

  it('adds no space where scripts meet without one', () => {
    expect(shown('私はNew Yorkへ行く。本当（たぶん）')).toBe('私はNew Yorkへ行く。本当（たぶん）')
  })

  it('joins words that come one by one by the letters that meet', () => {
    const words = ['second', 'line', 'with', 'ünïcödé', 'и', '日本語', 'です。', 'Fine,', 'thanks']
    const timed = words.map((text, i) => ({ text, startTime: i * 0.4, endTime: i * 0.4 + 0.4 }))
    const { speech } = readOwnCaptions({ words: timed }, undefined, undefined)
    expect(joined(captionWords(speech))).toBe('second line with ünïcödé и日本語です。Fine, thanks')
    expect(speech.segments.map(({ text }) => text)).toEqual([
      'second line with ünïcödé и日本語です。',
      'Fine, thanks',
    ])
  })
})
