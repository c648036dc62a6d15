import { describe, expect, it } from 'vitest'
import { createDeepgramSpeech } from '../../../../containers/speech/remote/deepgram-speech.ts'
import { askSpeech, soundBytes } from '../../../support/containers/ask-speech.ts'
import { startProvider, type Reply } from '../../../support/containers/provider-stub.ts'

const shared = { timeoutSeconds: 5, backoffMs: [1, 1, 1] }
const deepgram = (baseUrl: string) =>
  createDeepgramSpeech({ ...shared, baseUrl, apiKey: 'dg-1', model: 'nova-3' })

/** As Deepgram documents the answer for a recorded sound, with a few of the fields that are not read. */
const listened = (alternative: object, detected_language?: string): Reply => ({
  json: {
    metadata: { request_id: 'a1', duration: 10, channels: 1, models: ['m1'] },
    results: {
      channels: [{ alternatives: [alternative], detected_language, language_confidence: 0.98 }],
    },
  },
})
const dias = [
  { word: 'bom', start: 0.5, end: 0.8, confidence: 0.98765, punctuated_word: 'Bom' },
  { word: 'dia', start: 0.8, end: 1.4, confidence: 0.9, punctuated_word: 'dia.' },
  { word: 'obrigado', start: 1.6, end: 2.8, confidence: 0.8, punctuated_word: 'Obrigado.' },
]
const bomDia = { transcript: 'Bom dia. Obrigado.', confidence: 0.91234, words: dias }

describe('createDeepgramSpeech', () => {
  it('sends the sound as it is, and makes sentences of the words with their punctuation', async () => {
    const provider = await startProvider(listened(bomDia, 'pt-BR'))
    expect(await askSpeech(deepgram(`${provider.origin}/v1`))).toEqual({
      language: 'pt',
      confidence: 0.912,
      segments: [
        {
          text: 'Bom dia.',
          startTime: 0.5,
          endTime: 1.4,
          words: [
            { text: 'Bom', startTime: 0.5, endTime: 0.8, confidence: 0.988 },
            { text: 'dia.', startTime: 0.8, endTime: 1.4, confidence: 0.9 },
          ],
        },
        {
          text: 'Obrigado.',
          startTime: 1.6,
          endTime: 2.8,
          words: [{ text: 'Obrigado.', startTime: 1.6, endTime: 2.8, confidence: 0.8 }],
        },
      ],
    })
    const [asked] = provider.asked
    expect(asked?.path).toBe('/v1/listen?model=nova-3&detect_language=true&smart_format=true')
    expect(asked?.headers.get('Authorization')).toBe('Token dg-1')
    expect(asked?.headers.get('Content-Type')).toBe('audio/mpeg')
    expect(asked?.body.toString()).toBe(soundBytes)
  })

  it('begins another segment where another person speaks', async () => {
    const said = dias.map((word, i) => ({ ...word, speaker: i === 0 ? 0 : 1 }))
    const provider = await startProvider(listened({ ...bomDia, words: said }))
    const { segments } = await askSpeech(deepgram(provider.origin))
    const who = segments.map(({ text, speaker }) => [text, speaker])
    expect(who).toEqual([
      ['Bom', '0'],
      ['dia.', '1'],
      ['Obrigado.', '1'],
    ])
  })

  it('accepts silence, a text without words, and a model that names several languages', async () => {
    const silent = await startProvider(listened({ transcript: '', confidence: 0, words: [] }))
    expect(await askSpeech(deepgram(silent.origin))).toEqual({ language: 'und', segments: [] })
    const bare = await startProvider(
      listened({ transcript: 'Bom dia.', confidence: 0.2, languages: ['pt', 'es'] }),
    )
    expect(await askSpeech(deepgram(bare.origin))).toMatchObject({
      language: 'pt',
      doubt: expect.stringContaining('not sure of what it heard') as unknown,
      segments: [{ startTime: 0, endTime: 10, text: 'Bom dia.' }],
    })
  })
})
