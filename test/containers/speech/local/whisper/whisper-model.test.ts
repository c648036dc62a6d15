import { describe, expect, it } from 'vitest'
import { decodeWindow } from '../../../../../containers/speech/local/decode/decode-window.ts'
import { loadSpeechModel } from '../../../../../containers/speech/local/load-speech-model.ts'
import { makeWords } from '../../../../../containers/speech/local/make-words.ts'
import type { SampledSound } from '../../../../../containers/speech/local/sound-file.ts'
import { textOfTokens } from '../../../../../containers/speech/local/vocabulary.ts'
import {
  tokenOf,
  tones,
  type TinyWhisper,
} from '../../../../support/containers/models/tiny-whisper-script.ts'
import { texts } from '../../../../support/containers/models/tiny-whisper-script.ts'
import { tinyWhisper } from '../../../../support/containers/models/tiny-whisper.ts'

const rate = 16_000
const atOnce = {
  take: async <T>(step: (checkStop: () => void) => Promise<T>) => step(() => undefined),
}

type Tone = readonly [hertz: number, from: number, to: number]

/** A sound with tones from one second to another. */
function soundOf(seconds: number, ...played: readonly Tone[]): SampledSound {
  const samples = new Float32Array(seconds * rate)
  for (const [hertz, from, to] of played) {
    for (let n = from * rate; n < to * rate; n++) {
      samples[n] = (samples[n] ?? 0) + 0.3 * Math.sin((2 * Math.PI * hertz * n) / rate)
    }
  }
  return {
    length: samples.length,
    read: async (start, end) => Promise.resolve(samples.slice(start, end)),
  }
}

const said: readonly Tone[] = [
  [tones.one, 1, 1.5],
  [tones.two, 3, 3.5],
]
const finnish = soundOf(6, [tones.fi, 0, 6], ...said)
const japanese = soundOf(6, [tones.ja, 0, 6], ...said)

/** What a model of this make writes for a whole sound, cut at these seconds. */
async function write(tiny: TinyWhisper, sound: SampledSound, cuts: readonly number[] = []) {
  const model = await loadSpeechModel(await tinyWhisper(tiny))
  const ends = [...cuts.map((second) => second * rate), sound.length]
  const pieces = ends.map((end, i) => ({ start: ends[i - 1] ?? 0, end }))
  const recogniser = await model.begin({ sound, pieces, turns: atOnce, names: [] })
  const written = []
  for (const piece of pieces) {
    const excerpt = { samples: await sound.read(piece.start, piece.end), offset: piece.start }
    written.push({ ...piece, heard: await decodeWindow(recogniser, excerpt, () => undefined) })
  }
  const tokens = written.flatMap(({ heard }) => heard.flatMap((part) => part.tokens))
  const { language } = recogniser
  const numbers = tokens.map(({ token }) => token)
  const words = makeWords(tokens, { vocabulary: model.vocabulary, language }, [
    { start: 1, end: 1.5 },
    { start: 3, end: 3.5 },
  ])
  const judgement = await recogniser.judge(written)
  return { language, text: textOfTokens(model.vocabulary, numbers), words, judgement }
}

describe('a Whisper model', () => {
  it.each<[string, TinyWhisper]>([
    ['with one decoder for both branches', {}],
    ['with a second decoder that goes on from a cache', { make: 'pair', attention: 'unnamed' }],
    ['without a cache', { make: 'alone', attention: 'output' }],
    [
      'quantized, in a folder of its own',
      { under: 'onnx', ending: '_quantized', attention: 'output' },
    ],
    ['of half precision', { half: true, ending: '_fp16' }],
    ['of half precision in two decoders', { half: true, make: 'pair', ending: '_q4f16' }],
    ['with weights in other files and 128 bands', { external: true, bands: 128, under: 'onnx' }],
  ])('%s finds the language, the text, and when each word is said', async (_, tiny) => {
    const heard = await write(tiny, finnish)
    expect(heard).toMatchObject({ language: 'fi', text: 'hei maailma.' })
    expect(heard.words).toMatchObject([
      { text: 'hei', startTime: 1 },
      { text: 'maailma.', startTime: expect.closeTo(3, 1) as unknown },
    ])
  })

  it('writes a language without spaces in whole characters and words', async () => {
    const heard = await write({}, japanese)
    expect(heard).toMatchObject({ language: 'ja', text: '東京です。' })
    expect(heard.words.map(({ text }) => text)).toEqual(['東京', 'です。'])
  })

  it('takes the language of most of the speech for all of it', async () => {
    const mixed = soundOf(12, [tones.ja, 0, 4.5], [tones.fi, 4.5, 12])
    const { language, text } = await write({}, mixed, [4.5])
    expect({ language, text }).toEqual({ language: 'fi', text: 'hei maailma. hei maailma.' })
  })

  it('has one language if it knows only English', async () => {
    expect(await write({ isEnglish: true, script: [['t0', 'no', 50]] }, japanese)).toMatchObject({
      language: 'en',
      text: 'no.',
    })
  })

  it('spreads the words over the time that the model gives a text, without an attention', async () => {
    const { words, text } = await write({ attention: 'hidden' }, finnish)
    expect(text).toBe('hei maailma.')
    expect(words.map(({ startTime }) => startTime)).toEqual([1, expect.closeTo(16 / 13, 3)])
  })

  it('never writes what the model suppresses', async () => {
    const generation = { suppress_tokens: [tokenOf('hei'), tokenOf('to1'), -1] }
    expect(await write({ generation }, finnish)).toMatchObject({ text: 'no.' })
  })

  it('ends a loop, and keeps one round of it', async () => {
    const { text } = await write({ script: [['maa', 'maa', 300]] }, finnish)
    expect(text.match(/maa/g)?.length).toBeLessThanOrEqual(4)
  })

  it('goes on where the model says that a text begins which it does not finish', async () => {
    const goesOn: TinyWhisper = { script: [['t4', 't4', 300]] }
    const { text } = await write(goesOn, soundOf(8.2, [tones.fi, 0, 8.2], ...said))
    expect(text).toBe('hei maailma. hei maailma.')
  })

  it('writes nothing where the model hears no speech and is not sure of its text', async () => {
    // After each word eight others are as likely as each other.
    const script = (['t0', ...texts.slice(0, 3)] as const).flatMap((from, i) =>
      [...texts.slice(i), ...texts.slice(0, i)].slice(0, 8).map((to) => [from, to, 200] as const),
    )
    const silent: TinyWhisper = { isEnglish: true, script: [['sot', 'nospeech', 9_000], ...script] }
    const { text, judgement } = await write(silent, finnish)
    expect(text).toBe('')
    expect(judgement).toEqual({})
  })

  it('says how sure it is of a text and its words', async () => {
    const { judgement, words } = await write({}, finnish)
    expect(judgement.confidence).toBeCloseTo(1, 2)
    expect(words.map(({ confidence }) => confidence)).toEqual([1, 1])
  })
})
