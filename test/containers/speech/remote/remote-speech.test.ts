import { describe, expect, it } from 'vitest'
import { createAssemblyaiSpeech } from '../../../../containers/speech/remote/assemblyai-speech.ts'
import { createCloudflareSpeech } from '../../../../containers/speech/remote/cloudflare-speech.ts'
import { createOpenaiSpeech } from '../../../../containers/speech/remote/openai-speech.ts'
import { createDeepgramSpeech } from '../../../../containers/speech/remote/deepgram-speech.ts'
import { askSpeech as transcribe, soundBytes } from '../../../support/containers/ask-speech.ts'
import { startProvider, type Reply } from '../../../support/containers/provider-stub.ts'
import { eventually } from '../../../support/node/eventually.ts'

const shared = { timeoutSeconds: 5, backoffMs: [1, 1, 1] }

const openai = (baseUrl: string, more: { apiKey?: undefined; timeoutSeconds?: number } = {}) =>
  createOpenaiSpeech({ ...shared, baseUrl, apiKey: 'sk-1', model: 'whisper-1', ...more })

const cloudflare = (baseUrl: string, more: { apiToken?: undefined } = {}) =>
  createCloudflareSpeech({
    ...shared,
    baseUrl,
    accountId: 'abc',
    apiToken: 'token',
    model: '@cf/openai/whisper',
    ...more,
  })

const deepgram = (baseUrl: string, more: { apiKey?: undefined } = {}) =>
  createDeepgramSpeech({ ...shared, baseUrl, apiKey: 'dg-1', model: 'nova-3', ...more })

const assemblyai = (baseUrl: string, more: { apiKey?: undefined } = {}) =>
  createAssemblyaiSpeech({
    ...{ ...shared, baseUrl, apiKey: 'aai-1', models: ['universal-2'] },
    ...{ pause: async () => Promise.resolve(), ...more },
  })

const segments = [
  { id: 0, start: 0.5, end: 1.5, text: ' Bom dia.', avg_logprob: -0.2, no_speech_prob: 0.01 },
  { id: 1, start: 1.5, end: 3, text: ' Obrigado.', avg_logprob: -0.3, no_speech_prob: 0.02 },
]
const verbose = { task: 'transcribe', language: 'portuguese', duration: 3, text: 'Bom dia.' }
const timed: Reply = {
  json: {
    ...verbose,
    segments,
    words: [
      { word: 'Bom', start: 0.5, end: 0.8 },
      { word: 'dia', start: 0.8, end: 1.4 },
      { word: 'Obrigado', start: 1.6, end: 2.8 },
    ],
  },
}
const inSegments = [
  { startTime: 0.5, endTime: 1.5, text: ' Bom dia.' },
  { startTime: 1.5, endTime: 3, text: ' Obrigado.' },
]
const badRequest: Reply = { status: 400, json: { error: { message: 'unknown parameter' } } }

describe('createOpenaiSpeech', () => {
  it('sends the sound as a form, and gives each segment the words that begin in it', async () => {
    const provider = await startProvider(timed)
    const speech = await transcribe(openai(`${provider.origin}/v1`))
    expect(speech.language).toBe('pt')
    expect(speech.segments).toMatchObject(inSegments)
    expect(speech.segments.map(({ words }) => words?.map(({ text }) => text))).toEqual([
      ['Bom', 'dia'],
      ['Obrigado'],
    ])
    const [asked] = provider.asked
    expect(asked?.path).toBe('/v1/audio/transcriptions')
    expect(asked?.headers.get('Authorization')).toBe('Bearer sk-1')
    const form = await new Response(new Uint8Array(asked?.body ?? []), {
      headers: { 'Content-Type': asked?.headers.get('Content-Type') ?? '' },
    }).formData()
    expect(form.getAll('timestamp_granularities[]')).toEqual(['segment', 'word'])
    expect(form.get('model')).toBe('whisper-1')
    expect(await (form.get('file') as File).text()).toBe(soundBytes)
  })

  it('asks for less if the server has no times of words, or no times at all', async () => {
    const plain = await startProvider(badRequest, { json: { ...verbose, segments } })
    expect(await transcribe(openai(plain.origin))).toEqual({
      language: 'pt',
      confidence: 0.777,
      segments: inSegments,
    })
    const bare = await startProvider(badRequest, badRequest, { json: { text: 'Bom dia.' } })
    expect(await transcribe(openai(bare.origin))).toEqual({
      language: 'und',
      segments: [{ startTime: 0, endTime: 10, text: 'Bom dia.' }],
    })
    expect(bare.asked).toHaveLength(3)
  })

  it('keeps the text if a word has no time', async () => {
    const untimed = [{ word: 'Bom', start: null, end: null }]
    const provider = await startProvider({ json: { ...verbose, segments, words: untimed } })
    expect((await transcribe(openai(provider.origin))).segments).toEqual(inSegments)
  })

  it('passes on how sure a server is of a word, where it tells', async () => {
    const words = [
      { word: ' Bom', start: 0.5, end: 0.9, probability: 0.98765 },
      { word: ' dia.', start: 0.9, end: 1.5 },
    ]
    const segments = [{ start: 0.5, end: 1.5, text: ' Bom dia.', words }]
    const provider = await startProvider({ status: 200, json: { text: 'Bom dia.', segments } })
    const speech = await transcribe(openai(`${provider.origin}/v1`))
    expect(speech.segments[0]?.words?.map(({ confidence }) => confidence)).toEqual([
      0.988,
      undefined,
    ])
  })

  it('says how likely the text is, and doubts a text that the model itself would decode again', async () => {
    const heard = { start: 0, end: 2, text: 'Something about a boat.', no_speech_prob: 0.1 }
    const provider = await startProvider({
      json: { ...verbose, segments: [{ ...heard, avg_logprob: -1.2 }] },
    })
    expect(await transcribe(openai(provider.origin))).toMatchObject({
      confidence: 0.301,
      doubt:
        'the speech provider itself is not sure of what it heard, so the text may be wrong (confidence 0.30).',
    })
    const silent = await startProvider({ json: { ...verbose, segments: [heard] } })
    expect(await transcribe(openai(silent.origin))).not.toHaveProperty('confidence')
  })

  it('drops text that the model itself considers invented', async () => {
    const madeUp = { start: 4, end: 6, text: ' Thank you for watching.' }
    const provider = await startProvider({
      json: {
        ...verbose,
        segments: [...segments, { ...madeUp, avg_logprob: -1.4, no_speech_prob: 0.9 }],
      },
    })
    expect((await transcribe(openai(provider.origin))).segments).toEqual(inSegments)
  })

  it('ends a request that takes too long, and one that is no longer wanted', async () => {
    const slow = await startProvider('never')
    const late = transcribe(openai(slow.origin, { timeoutSeconds: 1 }))
    await expect(late).rejects.toThrow('Transcription timed out')
    await eventually(() => expect(slow.hungUp()).toBe(1))

    const other = await startProvider('never')
    const controller = new AbortController()
    const asking = transcribe(openai(other.origin), controller.signal)
    await eventually(() => expect(other.asked).toHaveLength(1))
    controller.abort(new Error('canceled'))
    await expect(asking).rejects.toThrow('canceled')
    await eventually(() => expect(other.hungUp()).toBe(1))
  })
})

const inEnvelope: Reply = {
  json: {
    success: true,
    errors: [],
    messages: [],
    result: {
      text: 'Bom dia.',
      word_count: 3,
      transcription_info: { language: 'pt', language_probability: 0.98, duration: 10 },
      segments: [
        {
          ...segments[0],
          temperature: 0,
          words: [{ word: ' Bom', start: 0.5, end: 0.8 }],
        },
      ],
      vtt: 'WEBVTT',
    },
  },
}

describe('createCloudflareSpeech', () => {
  it('sends the sound as base64 and reads the envelope', async () => {
    const provider = await startProvider(inEnvelope)
    expect(await transcribe(cloudflare(provider.origin))).toEqual({
      language: 'pt',
      confidence: 0.819,
      segments: [
        {
          ...inSegments[0],
          words: [{ startTime: 0.5, endTime: 0.8, text: ' Bom' }],
        },
      ],
    })
    const [asked] = provider.asked
    expect(asked?.path).toBe('/accounts/abc/ai/run/@cf/openai/whisper')
    expect(asked?.headers.get('Authorization')).toBe('Bearer token')
    expect(JSON.parse(asked?.body.toString() ?? '')).toMatchObject({
      audio: Buffer.from(soundBytes).toString('base64'),
      task: 'transcribe',
    })
  })

  it('accepts silence as an empty text', async () => {
    const result = { text: '', word_count: 0, segments: [], transcription_info: { language: '' } }
    const provider = await startProvider({ json: { success: true, result } })
    expect((await transcribe(cloudflare(provider.origin))).language).toBe('und')
  })
})

const fromDeepgram: Reply = {
  json: {
    results: {
      channels: [{ detected_language: 'pt', alternatives: [{ transcript: 'Bom dia.' }] }],
    },
  },
}

const fromAssemblyai: readonly Reply[] = [
  { json: { upload_url: 'https://cdn.example.com/upload/f756' } },
  { json: { id: '9ea68fd3-f953', status: 'queued' } },
  { json: { status: 'completed', language_code: 'pt', text: 'Bom dia.' } },
]

const without = { apiKey: undefined, apiToken: undefined }

describe.each([
  ['openai', openai, [timed]],
  ['cloudflare', cloudflare, [inEnvelope]],
  ['deepgram', deepgram, [fromDeepgram]],
  ['assemblyai', assemblyai, fromAssemblyai],
] as const)('a call of %s', (_name, create, good) => {
  it('sends nothing without a key', async () => {
    const provider = await startProvider(...good)
    const asking = transcribe(create(provider.origin, without))
    await expect(asking).rejects.toThrow('Provider API key not configured')
    expect(provider.asked).toEqual([])
  })

  it('is repeated if the provider is busy or fails', async () => {
    const busy: Reply = { status: 429, headers: { 'Retry-After': '0' } }
    const cut: Reply = { text: '{"text": "Bom d' }
    const provider = await startProvider(busy, { status: 502, text: '<html>' }, cut, ...good)
    expect((await transcribe(create(provider.origin))).language).toBe('pt')
    expect(provider.asked).toHaveLength(3 + good.length)
  })

  it('fails with a clear message if the provider asks for too long a wait', async () => {
    const provider = await startProvider({ status: 429, headers: { 'Retry-After': '3600' } })
    await expect(transcribe(create(provider.origin))).rejects.toThrow('asked to come back later')
    expect(provider.asked).toHaveLength(1)
  })

  it.each([
    [{ status: 500 }, 'did not answer', 4],
    [{ status: 200, text: '{"text": "Bom d' }, 'could not be read', 4],
    [{ status: 200, json: { result: 7 } }, 'could not be read', 1],
    [{ status: 401 }, 'refused the API key', 1],
    [{ status: 413 }, 'Audio file too large', 1],
    [{ status: 404 }, 'refused the request', 1],
    [{ status: 302, headers: { Location: 'http://127.0.0.1:1/' } }, 'refused the request', 1],
  ] satisfies [Reply, string, number][])('answered %o says "%s"', async (reply, text, times) => {
    const provider = await startProvider(reply)
    await expect(transcribe(create(provider.origin))).rejects.toThrow(text)
    expect(provider.asked).toHaveLength(times)
  })

  it('says that the provider cannot be reached', async () => {
    await expect(transcribe(create('http://127.0.0.1:1'))).rejects.toThrow('did not answer')
  })
})

it.each([
  [openai, 'name="prompt"\r\n\r\nSpool, Łódź.\r\n'],
  [cloudflare, '"initial_prompt":"Spool, Łódź."'],
  [deepgram, '&keyterm=Spool&keyterm=%C5%81%C3%B3d%C5%BA'],
  [assemblyai, '"keyterms_prompt":["Spool","Łódź"]'],
])(
  'sends names to know as %o takes them, and nothing where there are none',
  async (create, sent) => {
    const uploaded = { json: { upload_url: 'https://cdn.example.com/1', id: 'a1' } }
    const provider = await startProvider(uploaded)
    const { signal } = new AbortController()
    const long = 'one two three four five six seven '.repeat(20).trim()
    const names =
      create === openai || create === cloudflare ? ['Spool', 'Łódź'] : ['Spool', 'Łódź', long]
    const asked = () =>
      provider.asked.map(({ path, body }) => `${path} ${body.toString()}`).join('\n')
    await transcribe(create(provider.origin), signal).catch(() => undefined)
    expect(asked()).not.toMatch(/prompt|keyterm/)
    await transcribe(create(provider.origin), signal, names).catch(() => undefined)
    expect(asked()).toContain(sent)
    expect(asked()).not.toContain('seven')
  },
)

it.each([
  [deepgram, '&diarize=true'],
  [assemblyai, '"speaker_labels":true,"speakers_expected":2'],
  [
    (baseUrl: string) =>
      createOpenaiSpeech({
        ...shared,
        baseUrl,
        apiKey: 'sk-1',
        model: 'gpt-4o-transcribe-diarize',
      }),
    'diarized_json',
  ],
])('asks who speaks as %o takes it, and only if it is wanted', async (create, sent) => {
  const provider = await startProvider({
    json: { upload_url: 'https://cdn.example.com/1', id: 'a1' },
  })
  const { signal } = new AbortController()
  const asked = () =>
    provider.asked.map(({ path, body }) => `${path} ${body.toString()}`).join('\n')
  await transcribe(create(provider.origin), signal).catch(() => undefined)
  expect(asked()).not.toMatch(/diarized|diarize=|speaker/)
  await transcribe(create(provider.origin), signal, [], { count: 2 }).catch(() => undefined)
  expect(asked()).toContain(sent)
})

it('takes the speakers that an OpenAI-shaped server tells', async () => {
  const told = segments.map((one, i) => ({ ...one, speaker: i === 0 ? 'A' : 'B' }))
  const provider = await startProvider({ json: { ...verbose, segments: told } })
  const { segments: heard } = await transcribe(openai(provider.origin))
  expect(heard.map(({ speaker }) => speaker)).toEqual(['A', 'B'])
})
