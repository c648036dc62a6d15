import { describe, expect, it } from 'vitest'
import { createAssemblyaiSpeech } from '../../../../containers/speech/remote/assemblyai-speech.ts'
import { askSpeech, soundBytes } from '../../../support/containers/ask-speech.ts'
import { startProvider, type Reply } from '../../../support/containers/provider-stub.ts'
import { eventually } from '../../../support/node/eventually.ts'

type More = Partial<Parameters<typeof createAssemblyaiSpeech>[0]>

/** Waits for nothing, and notes how long it was asked to wait. */
const pauses: number[] = []
const noPause = async (milliseconds: number) => Promise.resolve(pauses.push(milliseconds))

const assemblyai = (baseUrl: string, more: More = {}) =>
  createAssemblyaiSpeech({
    baseUrl: `${baseUrl}/v2`,
    apiKey: 'aai-1',
    models: ['universal-3-pro', 'universal-2'],
    timeoutSeconds: 5,
    backoffMs: [1, 1, 1],
    pause: noPause,
    ...more,
  })

const uploaded: Reply = { json: { upload_url: 'https://cdn.example.com/upload/f756' } }
const queued: Reply = { json: { id: '9ea68fd3-f953', status: 'queued', error: null } }
const processing: Reply = { json: { id: '9ea68fd3-f953', status: 'processing' } }
const completed: Reply = {
  json: {
    id: '9ea68fd3-f953',
    status: 'completed',
    language_code: 'en_us',
    language_confidence: 0.99,
    text: 'Good morning. Thank you.',
    confidence: 0.95514,
    audio_duration: 10,
    utterances: null,
    words: [
      { text: 'Good', start: 250, end: 650, confidence: 0.97, speaker: null },
      { text: 'morning.', start: 730, end: 1022, confidence: 0.99996, speaker: null },
      { text: 'Thank', start: 1100, end: 1400, confidence: 0.8, speaker: null },
      { text: 'you.', start: 1400, end: 1700, confidence: 0.7, speaker: null },
    ],
  },
}

describe('createAssemblyaiSpeech', () => {
  it('uploads the sound, orders its text, and asks until it is there', async () => {
    const provider = await startProvider(uploaded, queued, queued, processing, completed)
    pauses.length = 0
    const speech = await askSpeech(assemblyai(provider.origin))
    expect(speech).toMatchObject({ language: 'en', confidence: 0.955 })
    expect(speech.segments.map(({ text }) => text)).toEqual(['Good morning.', 'Thank you.'])
    expect(speech.segments[0]?.words).toEqual([
      { text: 'Good', startTime: 0.25, endTime: 0.65, confidence: 0.97 },
      { text: 'morning.', startTime: 0.73, endTime: 1.022, confidence: 1 },
    ])
    expect(pauses).toEqual([2_000, 2_000])
    expect(provider.asked.map(({ path }) => path)).toEqual([
      '/v2/upload',
      '/v2/transcript',
      ...Array<string>(3).fill('/v2/transcript/9ea68fd3-f953'),
    ])
    expect(provider.asked.map(({ headers }) => headers.get('Authorization'))).toEqual(
      Array(5).fill('aai-1'),
    )
    expect(provider.asked[0]?.body.toString()).toBe(soundBytes)
    expect(JSON.parse(provider.asked[1]?.body.toString() ?? '')).toEqual({
      audio_url: 'https://cdn.example.com/upload/f756',
      speech_models: ['universal-3-pro', 'universal-2'],
      language_detection: true,
    })
  })

  it('takes "no spoken audio" for silence, and a text without words as it is', async () => {
    const error = 'language_detection cannot be performed on files with no spoken audio.'
    const silent = await startProvider(uploaded, queued, { json: { status: 'error', error } })
    expect(await askSpeech(assemblyai(silent.origin))).toEqual({ language: 'und', segments: [] })
    const bare = { status: 'completed', language_code: 'ja', text: 'こんにちは。', words: null }
    const provider = await startProvider(uploaded, queued, { json: bare })
    expect(await askSpeech(assemblyai(provider.origin))).toEqual({
      language: 'ja',
      segments: [{ startTime: 0, endTime: 10, text: 'こんにちは。' }],
    })
  })

  it.each([
    [[{ json: { upload_url: 'nowhere' } }], 'could not be read', 1],
    [[uploaded, { status: 400, json: { error: 'unknown model' } }], 'refused the request', 2],
    [[uploaded, { json: { id: '../keys', status: 'queued' } }], 'could not be read', 2],
    [[uploaded, queued, { json: { status: 'error', error: 'corrupt' } }], 'refused', 4],
    [[uploaded, queued, { json: { status: 'lost' } }], 'could not be read', 4],
    [[uploaded, queued, { status: 500 }], 'did not answer', 7],
  ] satisfies [Reply[], string, number][])(
    'answered %j says "%s"',
    async (replies, text, times) => {
      const provider = await startProvider(...replies)
      await expect(askSpeech(assemblyai(provider.origin))).rejects.toThrow(text)
      expect(provider.asked).toHaveLength(times)
    },
  )

  it('asks again at once if the service was busy for a moment', async () => {
    const busy: Reply = { status: 429, headers: { 'Retry-After': '0' } }
    const provider = await startProvider(busy, uploaded, busy, queued, busy, completed)
    expect((await askSpeech(assemblyai(provider.origin))).language).toBe('en')
    expect(provider.asked).toHaveLength(6)
  })

  it('deletes its order when the time is over, or when nobody wants the text', async () => {
    const deleted = { method: 'DELETE', path: '/v2/transcript/9ea68fd3-f953' }
    const slow = await startProvider(uploaded, queued, processing)
    // As the clock does it: the pause ends with the deadline.
    const untilLate = async (_: number, signal: AbortSignal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    const late = askSpeech(assemblyai(slow.origin, { timeoutSeconds: 0.5, pause: untilLate }))
    await expect(late).rejects.toThrow('Transcription timed out')
    expect(slow.asked).toHaveLength(4)
    expect(slow.asked.at(-1)).toMatchObject(deleted)
    expect(slow.asked.at(-1)?.headers.get('Authorization')).toBe('aai-1')

    // Whether the provider does so or not, the caller hears why nobody waits.
    const other = await startProvider(uploaded, queued, processing, { status: 500 })
    const controller = new AbortController()
    const asking = askSpeech(assemblyai(other.origin, { pause: untilLate }), controller.signal)
    await eventually(() => expect(other.asked).toHaveLength(3))
    controller.abort(new Error('canceled'))
    await expect(asking).rejects.toThrow('canceled')
    expect(other.asked.at(-1)).toMatchObject(deleted)
  })
})
