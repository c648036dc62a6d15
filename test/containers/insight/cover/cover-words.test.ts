import { describe, expect, it } from 'vitest'
import { coverWords } from '../../../../containers/insight/cover/cover-words.ts'
import { maskSpeech, maskTexts } from '../../../../containers/insight/cover/mask-words.ts'
import type { Speech } from '../../../../containers/timeline/speech.ts'

/** Words of 0.3 s that follow each other without a pause, in segments. */
function said(...segments: string[]): Speech {
  let at = 1
  return {
    language: 'en',
    segments: segments.map((text) => {
      const words = text.split(' ').map((word) => {
        at += 0.3
        return { text: word.replace(/[,.!]$/, ''), startTime: at - 0.3, endTime: at }
      })
      return { text, words, startTime: words[0]?.startTime ?? 0, endTime: at }
    }),
  }
}

const cover = (speech: Speech, ...phrases: string[]) =>
  coverWords({ outcome: 'heard', speech }, phrases)

describe('maskTexts', () => {
  const mask = (text: string, ...phrases: string[]) => maskTexts([text], 'en', phrases)[0]

  it('finds words and phrases whatever their capitals, marks and numbers', () => {
    expect(mask('Damn, “DAMN!” and goddamn.', 'damn')).toBe('***, “***!” and goddamn.')
    expect(mask("That isn't Acme  Corp's, it’s ACME-Corp.", 'acme corp', "isn't")).toBe(
      "That *** Acme  Corp's, it’s ***-***.",
    )
    expect(mask('damned dam undamned damn-good', 'DAMN*')).toBe('*** dam undamned ***-good')
    expect(mask('Room 3, room three, room 3.5', 'room three')).toBe('*** ***, *** ***, room 3.5')
    expect(mask('STRASSE straße Straßen', 'Straße')).toBe('*** *** Straßen')
    expect(mask('What? Nothing (a*b)', 'whatever')).toBe('What? Nothing (a*b)')
  })

  it.each([
    ['fr', "L'idiot ! Qu’idiot, aujourd'hui l’idiotie.", "L'*** ! Qu’***, aujourd'hui l’idiotie."],
    ['it', "Un po' dell'idiota, d’un idiot.", "Un po' dell'idiota, d’un ***."],
    ['en', "An idiot, the idiot's idiot.", "An ***, the idiot's ***."],
  ])(
    'finds a word behind an article that is written together with it: %s',
    (language, text, masked) => {
      expect(maskTexts([text], language, ['idiot'])[0]).toBe(masked)
    },
  )

  it.each([
    ['de', 'drei', 'Nur 3 von 13, drei von 30.', 'Nur *** von 13, *** von 30.'],
    ['es', 'diez', 'Son 10 y diez, no 100.', 'Son *** y ***, no 100.'],
    ['fr', 'dix-sept', '17 ou dix-sept, 7 ou 10.', '*** ou ***-***, 7 ou 10.'],
    ['pl', '5', 'Pięć albo 5, 50.', '*** albo ***, 50.'],
    ['de', '25', 'Fünfundzwanzig oder 25.', '*** oder ***.'],
    ['de', 'einunddreissig', '31, einunddreißig.', '***, ***.'],
    ['es', '47', 'Cuarenta y siete o 47.', '*** *** *** o ***.'],
    ['fr', '71', 'Soixante et onze, 71 ou 81.', '*** *** ***, *** ou 81.'],
    ['fr', 'quatre-vingt-douze', 'Les 92.', 'Les ***.'],
    ['it', '28', 'Ventotto, 28 o 23.', '***, *** o 23.'],
    ['nl', 'tweeëntwintig', 'Of 22.', 'Of ***.'],
    ['pl', '99', 'Dziewięćdziesiąt dziewięć.', '*** ***.'],
    ['pt', '64', 'Sessenta e quatro, 64.', '*** *** ***, ***.'],
  ])(
    'finds a number below a hundred as a word and in digits, as its language says it: %s',
    (language, phrase, text, masked) => {
      expect(maskTexts([text], language, [phrase])[0]).toBe(masked)
    },
  )

  it('finds a phrase across two texts, and letters of languages without spaces', () => {
    expect(maskTexts(['Call Jane', 'Doe now.'], 'en', ['Jane Doe'])).toEqual([
      'Call ***',
      '*** now.',
    ])
    expect(maskTexts(['今日は東京です。'], 'ja', ['東京'])).toEqual(['今日は***です。'])
  })
})

it('maskSpeech masks the words and the text of a segment, and leaves times as they are', () => {
  const speech = said('Oh damn, Jane.')
  const { segments } = maskSpeech(speech, ['damn'])
  expect(segments[0]?.text).toBe('Oh ***, Jane.')
  expect(segments[0]?.words?.map(({ text }) => text)).toEqual(['Oh', '***', 'Jane'])
  expect(segments[0]?.words?.map(({ startTime }) => startTime)).toEqual(
    speech.segments[0]?.words?.map(({ startTime }) => startTime),
  )
})

describe('coverWords', () => {
  it('covers a margin, and no more of the words beside it than a cut would', () => {
    const { spans, warnings } = cover(said('So damn it', 'damn.'), 'damn')
    expect(warnings).toEqual([])
    expect(spans).toHaveLength(2)
    expect(spans[0]?.from).toBeCloseTo(1.24)
    expect(spans[0]?.to).toBeCloseTo(1.66)
    expect(spans[1]?.from).toBeCloseTo(1.84)
    expect(spans[1]?.to).toBeCloseTo(2.3)
  })

  it('counts phrases that share a word once', () => {
    const { spans } = cover(said('Jane Doe Smith speaks'), 'doe smith', 'Jane Doe')
    expect(spans).toMatchObject([{ phrase: 1 }])
    expect(spans[0]?.to).toBeCloseTo(1.96)
  })

  it('says what was not heard, what has no times, and why nothing was covered', () => {
    const spoken = said('So damn it')
    const untimed = { ...spoken, segments: [{ text: 'So damn it', startTime: 0, endTime: 1 }] }
    expect(cover(untimed, 'damn', 'acme').warnings).toEqual([
      'bleep[1]: “acme” was not heard.',
      'bleep[0]: “damn” is said, but the speech provider does not tell when each word is said, so it is only masked in the texts.',
    ])
    expect(cover({ language: 'und', segments: [] }, 'damn').warnings).toEqual([
      'bleep: nobody speaks in this video.',
    ])
    const failed = { outcome: 'failed', message: 'Transcription failed.' } as const
    expect(coverWords(failed, ['damn'])).toEqual({
      ...{ spans: [], warnings: ['bleep: nothing was covered. Transcription failed.'] },
    })
  })
})
