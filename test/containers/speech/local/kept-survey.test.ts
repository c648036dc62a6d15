import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { rangeLength } from '../../../../containers/speech/local/detect-activity.ts'
import { surveyInRanges } from '../../../../containers/speech/local/kept-survey.ts'
import type { SpeechStretch } from '../../../../containers/speech/local/find-speech.ts'
import { SpeechThread } from '../../../../containers/speech/local/speech-thread-client.ts'
import { keptWindows } from '../../../support/containers/kept-texts.ts'
import { joined } from '../../../support/containers/sound/speech.ts'
import { rate, speak } from '../../../support/containers/sound/voices.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 300_000 })
afterAll(async () => thread.close())

const ranges = { length: 1_000, blocks: 2 }

/** Noise that comes and goes. */
async function aSound(loudness: number, samples = 2_500) {
  const { folder } = await aToolContext()
  const soundPath = path.join(folder, 'speech.f32')
  const noise = Float32Array.from({ length: samples }, (_, i) => {
    const swell = Math.sin(i / 9_000) ** 2
    return loudness * swell * Math.sin(i * i * 0.37)
  })
  await writeFile(soundPath, noise)
  return { soundPath, names: ['Spool'], model: 'a'.repeat(64) }
}
type Sound = Awaited<ReturnType<typeof aSound>>

/** A thread that remembers how many ranges it has listened to. */
function aSurvey() {
  const asked: string[] = []
  let heard: Float32Array = new Float32Array()
  const blocks = [0, 1, 2, 3, 4].map((n) => ({ start: n * 160_000, end: n * 160_000 + 48_000 }))
  const counted: Parameters<typeof surveyInRanges>[0] = {
    activity: async ({ start, end }) => {
      asked.push('activity')
      const probability = (start / 1_000 + 1) / 3
      return Promise.resolve(new Float32Array(Math.ceil((end - start) / 512)).fill(probability))
    },
    blocks: async ({ probabilities }) => {
      heard = probabilities
      return Promise.resolve(blocks)
    },
    spoken: async (question) => {
      asked.push('spoken')
      const breaths = question.blocks.map(({ start, end }) => ({ start: start + 1, end }))
      return Promise.resolve({ speech: question.blocks, breaths })
    },
    divide: async ({ speech }) => {
      const sum = heard.reduce((all, one) => all + one, 0)
      return Promise.resolve({
        pieces: speech,
        language: `${heard.length} ${sum.toFixed(3)}`,
      })
    },
  }
  const texts = new Map<string, string>()
  const { signal } = new AbortController()
  const look = async (sound: Sound, most = Infinity, shares: number[] = []) => {
    const onShare = (share: number): void => void shares.push(share)
    return surveyInRanges(counted, sound, {
      kept: keptWindows(texts, most),
      signal,
      onShare,
      ranges,
    })
  }
  return { look, asked, texts }
}

it('goes on where an earlier attempt was, whichever range was its last, and finds the same', async () => {
  const { look, asked, texts } = aSurvey()
  const sound = await aSound(0.5)
  for (let most = 0; most < 6; most++) await expect(look(sound, most)).rejects.toThrow('Killed')
  const shares: number[] = []
  const found = await look(sound, 6, shares)
  // Each range was looked through once, and once more by the attempt that was killed over it.
  expect(asked.filter((what) => what === 'activity')).toHaveLength(2 * 3)
  expect(asked.filter((what) => what === 'spoken')).toHaveLength(2 * 3)
  expect(shares.slice(0, 3)).toEqual([1 / 6, 2 / 6, 3 / 6])
  const another = aSurvey()
  const all: number[] = []
  expect(await another.look(await aSound(0.5), Infinity, all)).toEqual(found)
  expect(all.map((share) => Math.round(600 * share))).toEqual([100, 200, 300, 400, 500, 600])
  expect(found).toMatchObject({
    length: 2_500,
    survey: { names: ['Spool'], language: '5 3.000' },
  })
  expect(found.survey.pieces).toHaveLength(5)
  expect(found.survey.breaths).toHaveLength(5)
  expect([...another.texts]).toEqual([...texts])
})

it('hears in ranges what it hears in the whole, to the bit', async () => {
  const part = rangeLength / 8
  const samples = 1.25 * part
  const { soundPath } = await aSound(0.5, samples)
  const { signal } = new AbortController()
  const hear = async (start: number, end: number) =>
    thread.activity({ soundPath, start, end }, signal)
  const whole = await hear(0, samples)
  expect([...(await hear(0, part)), ...(await hear(part, samples))]).toEqual([...whole])
  expect(Math.max(...whole)).toBeGreaterThan(0.001)
})

it('divides speech that hardly pauses into the same pieces and breaths, wherever the sound begins', async () => {
  const texts = [
    'The train to the coast leaves at a quarter past nine from platform four.',
    'She asked whether anybody had seen the small brown dog near the river.',
    'Please turn off the lights before you leave the office this evening.',
    'The recipe needs two cups of flour, three eggs and a little salt.',
  ]
  const spoken = await Promise.all(texts.map(async (text) => speak('rms', text)))
  // Pauses that the detector finds or not, as its blocks happen to lie.
  const parts = [...spoken, ...spoken, ...spoken].flatMap((samples, i) => [
    new Float32Array(Math.round(rate * (0.26 + 0.14 * ((i * 0.37) % 1)))),
    samples,
  ])
  const sound = joined(parts).map((value, i) => 0.5 * value + 0.001 * Math.sin(i * i * 0.37))
  const { signal } = new AbortController()
  const look = async (from: number) => {
    const { folder } = await aToolContext()
    const soundPath = path.join(folder, 'speech.f32')
    await writeFile(soundPath, sound.subarray(from))
    const asked = { kept: undefined, signal }
    const { survey } = await surveyInRanges(thread, { soundPath, names: [], model: '' }, asked)
    const behind = 320_000
    const inWhole = (some: readonly SpeechStretch[]) =>
      some
        .map(({ start, end }) => ({ start: start + from, end: end + from }))
        .filter(({ start }) => start > behind)
    return { pieces: inWhole(survey.pieces), breaths: inWhole(survey.breaths) }
  }
  const whole = await look(0)
  expect(whole.pieces.length).toBeGreaterThan(1)
  expect(whole.breaths.length).toBeGreaterThan(whole.pieces.length)
  expect(await look(100_001)).toEqual(whole)
})

it('looks through another sound, for another model or other names, and again what is damaged', async () => {
  const { look, asked, texts } = aSurvey()
  const sound = await aSound(0.5)
  await look(sound)
  const one = asked.length
  await look(sound)
  expect(asked).toHaveLength(one)
  await look({ ...sound, names: [] })
  await look({ ...sound, model: 'b'.repeat(64) })
  await look(await aSound(0.25))
  expect(asked).toHaveLength(4 * one)
  for (const name of texts.keys()) texts.set(name, '{"probabilities":"AAAA"')
  await look(sound)
  expect(asked).toHaveLength(5 * one)
})
