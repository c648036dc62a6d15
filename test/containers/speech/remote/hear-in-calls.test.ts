import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import {
  hearInCalls,
  splitAtPauses,
  joinSpeech,
} from '../../../../containers/speech/remote/hear-in-calls.ts'
import {
  SpeechFailure,
  type SpeechAudio,
  type SpeechProvider,
} from '../../../../containers/speech/speech-provider.ts'
import { ProviderFault } from '../../../../containers/providers/provider-fault.ts'
import { keptWindows } from '../../../support/containers/kept-texts.ts'
import type { VoiceDetector } from '../../../../containers/sound/pauses/voice-activity.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { samplesOf } from '../../../support/containers/sound/samples.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

const rate = 16_000
const seconds = 40
/** A tone for each word, which begins with every second and lasts 0.7 s; each has a pitch of its own. */
const tone = `sin(2*PI*t*(300+40*floor(t)))*lt(mod(t\\,1)\\,0.7)`

async function words(): Promise<SpeechAudio> {
  const source = `aevalsrc=0.5*${tone}:s=${rate}:d=${seconds}`
  const file = await makeFile('mp3', ['-f', 'lavfi', '-i', source, '-b:a', '64k'])
  return { path: file, format: 'mp3', durationSeconds: seconds }
}

const blockSamples = 512
/** Hears a voice in each tone. */
const voices: VoiceDetector = {
  listen: () => ({
    grown: () => undefined,
    finish: async () =>
      Promise.resolve({
        blockSamples,
        probabilities: Float32Array.from({ length: (seconds * rate) / blockSamples }, (_, i) =>
          ((i * blockSamples) / rate) % 1 < 0.7 ? 0.9 : 0.01,
        ),
      }),
    stop: async () => Promise.resolve(),
  }),
}

/** The tones of a sound as words, with the second that each has in the whole sound as its text. */
function wordsIn(samples: Float32Array) {
  const isLoud = (at: number) =>
    samples.subarray(at, at + 80).reduce((sum, value) => sum + Math.abs(value), 0) > 8
  const found: { text: string; startTime: number; endTime: number }[] = []
  for (let at = 0; at < samples.length; at += 80) {
    if (!isLoud(at)) continue
    const from = at
    while (at < samples.length && isLoud(at)) at += 80
    let crossings = 0
    for (let i = from + 1_600; i < from + 9_600; i++)
      if ((samples[i] ?? 0) >= 0 !== (samples[i - 1] ?? 0) >= 0) crossings++
    const text = String(Math.round((crossings - 300) / 40))
    found.push({ text, startTime: from / rate, endTime: at / rate })
  }
  return found
}

/** `together`: this many calls wait for each other before the first of them is answered. */
function provider({ failsAt = Infinity, together = 1 } = {}) {
  const calls: SpeechAudio[] = []
  let [now, most] = [0, 0]
  const { promise: all, resolve: allAreHere } = Promise.withResolvers<undefined>()
  const heard: SpeechProvider = {
    name: 'openai',
    transcribe: async (audio) => {
      calls.push(audio)
      most = Math.max(most, ++now)
      if (calls.length >= together) allAreHere(undefined)
      await all
      const found = wordsIn(await samplesOf(audio.path, rate))
      now--
      if (calls.length > failsAt) throw new SpeechFailure('Busy')
      const [first] = found
      const text = found.map((word) => word.text).join(' ')
      const span = { startTime: first?.startTime ?? 0, endTime: found.at(-1)?.endTime ?? 0 }
      return { language: 'en', confidence: 0.9, segments: [{ ...span, text, words: found }] }
    },
  }
  return { heard, calls, most: () => most }
}

const lengths = { whole: 10, part: 7 }

describe('hearInCalls', () => {
  it('sends parts that meet in pauses, few at a time, and joins their words at their times', async () => {
    const { heard, calls, most } = provider({ together: 4 })
    const tools = await aToolContext()
    const shares: number[] = []
    const remote = hearInCalls(heard, { voices, lengths })
    const onShare = (share: number) => shares.push(share)
    const said = await remote.transcribe(await words(), tools, { onShare })
    const found = said.segments.flatMap((segment) => segment.words ?? [])
    expect(found.map(({ text }) => Number(text))).toEqual([...Array(seconds).keys()])
    for (const { text, startTime } of found) {
      expect(Math.abs(startTime - Number(text))).toBeLessThan(0.02)
    }
    expect(calls.length).toBeGreaterThanOrEqual(6)
    expect(calls.every(({ durationSeconds }) => durationSeconds <= lengths.part)).toBe(true)
    expect(most()).toBe(4)
    expect(shares.at(-1)).toBe(1)
    expect(said).toMatchObject({ language: 'en', confidence: 0.9 })
    expect(await readdir(tools.folder)).toEqual([])
  })

  it('sends a short sound whole', async () => {
    const audio = await words()
    const whole = provider()
    const once = hearInCalls(whole.heard, { voices, lengths: { whole: 60, part: 30 } })
    await once.transcribe(audio, await aToolContext())
    expect(whole.calls).toEqual([audio])
  })

  /** The third answer is lost. */
  function faulty(cause: ProviderFault) {
    const { heard, calls } = provider()
    let answers = 0
    const transcribe: SpeechProvider['transcribe'] = async (audio, ...asked) => {
      const said = await heard.transcribe(audio, ...asked)
      if (++answers === 3) throw new SpeechFailure('Lost', { cause })
      return said
    }
    return {
      remote: hearInCalls({ ...heard, transcribe }, { voices, lengths }),
      calls,
    }
  }

  it('asks once more for a part whose answer was lost or nonsense, and not where it was refused', async () => {
    const refused = faulty(new ProviderFault('key-refused'))
    await expect(refused.remote.transcribe(await words(), await aToolContext())).rejects.toThrow(
      'Lost',
    )
    expect(new Set(refused.calls.map((call) => call.path)).size).toBe(refused.calls.length)
    const { remote } = faulty(new ProviderFault('unreadable'))
    const said = await remote.transcribe(await words(), await aToolContext())
    const texts = said.segments.flatMap((segment) => (segment.words ?? []).map(({ text }) => text))
    expect(texts.map(Number)).toEqual([...Array(seconds).keys()])
  })

  it('asks only for what an attempt before it has not kept, and says the same', async () => {
    const texts = new Map<string, string>()
    const kept = keptWindows(texts)
    const audio = await words()
    const calls = { voices, lengths }
    const first = hearInCalls(provider({ failsAt: 4 }).heard, calls)
    await expect(first.transcribe(audio, await aToolContext(), { kept })).rejects.toThrow('Busy')
    const before = texts.size
    expect(before).toBeGreaterThan(0)
    const second = provider()
    const told: number[] = []
    const said = await hearInCalls(second.heard, calls).transcribe(audio, await aToolContext(), {
      kept,
      onShare: (_, ofAll) => told.push(ofAll),
    })
    expect(told).toEqual(Array.from({ length: texts.size + 1 }, (_, i) => i / texts.size))
    expect(second.calls).toHaveLength(texts.size - before)
    const whole = await hearInCalls(provider().heard, calls).transcribe(audio, await aToolContext())
    expect(said).toEqual(whole)
  })
})

it('splitAtPauses cuts at the quietest point where nobody stops to speak', async () => {
  const samples = new Float32Array(30 * rate).fill(0.5)
  samples.fill(0.001, 9 * rate, 9.4 * rate)
  const read = async (from: number, to: number) => Promise.resolve(samples.slice(from, to))
  const probabilities = new Float32Array((30 * rate) / blockSamples).fill(0.9)
  const sound = { length: samples.length, read }
  const parts = await splitAtPauses(sound, { blockSamples, probabilities }, 10 * rate)
  expect(parts[0]?.to).toBeGreaterThan(9 * rate)
  expect(parts[0]?.to).toBeLessThan(9.4 * rate)
  expect(
    parts.every(({ from, to }, i) => to - from <= 10 * rate && from === (parts[i - 1]?.to ?? 0)),
  ).toBe(true)
  expect(parts.at(-1)?.to).toBe(samples.length)
})

describe('joinSpeech', () => {
  it('names the language of most of the text, and the doubt of a provider that tells no confidence', () => {
    const part = (language: string, text: string, doubt?: string) => ({
      ...{ from: 0, to: 1 },
      speech: {
        language,
        segments: text === '' ? [] : [{ startTime: 0, endTime: 1, text }],
        ...(doubt !== undefined && { doubt }),
      },
    })
    const joined = joinSpeech([part('und', ''), part('de', 'Ja.', 'unsure.'), part('en', 'It is.')])
    expect(joined).toMatchObject({ language: 'en', doubt: 'unsure.' })
    expect(joinSpeech([part('und', '')])).toEqual({ language: 'und', segments: [] })
  })

  it('keeps words inside their part, whatever times a provider tells', () => {
    const said = { startTime: -3, endTime: 1e6, text: 'What' }
    const speech = { language: 'en', segments: [{ ...said, words: [said] }] }
    const span = { startTime: 540, endTime: 1_080 }
    expect(joinSpeech([{ from: 540, to: 1_080, speech }]).segments).toMatchObject([
      { ...span, words: [span] },
    ])
  })
})
