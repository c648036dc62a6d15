import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { pieceLength } from '../../../../containers/speech/local/detect-activity.ts'
import { surveyInRanges } from '../../../../containers/speech/local/kept-survey.ts'
import { SpeechThread } from '../../../../containers/speech/local/speech-thread-client.ts'
import type { KeptWindows } from '../../../../containers/speech/kept-windows.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 300_000 })
afterAll(async () => thread.close())

const ranges = { length: 1_000, pieces: 2 }

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
  const pieces = [0, 1, 2, 3, 4].map((n) => ({ start: n * 160_000, end: n * 160_000 + 48_000 }))
  const counted: Parameters<typeof surveyInRanges>[0] = {
    activity: async ({ from, to, state = Float32Array.of(0) }) => {
      asked.push('activity')
      const next = state.map((value) => value + 1 / 3)
      const probabilities = new Float32Array(Math.ceil((to - from) / 512)).fill(next[0] ?? 0)
      return Promise.resolve({ probabilities, state: next })
    },
    divide: async ({ probabilities }) => {
      const sum = probabilities.reduce((all, one) => all + one, 0)
      return Promise.resolve({ pieces, language: `${probabilities.length} ${sum.toFixed(3)}` })
    },
    breaths: async (question) => {
      asked.push('breaths')
      return Promise.resolve(question.pieces.map(({ start, end }) => ({ start: start + 1, end })))
    },
  }
  const texts = new Map<string, string>()
  const kept = (most: number): KeptWindows => ({
    find: async (names) =>
      Promise.resolve(new Map([...texts].filter(([name]) => names.includes(name)))),
    keep: async (name, text) => {
      if (texts.size >= most) throw new Error('Killed')
      return Promise.resolve(texts.set(name, text))
    },
  })
  const { signal } = new AbortController()
  const look = async (sound: Sound, most = Infinity, shares: number[] = []) => {
    const onShare = (share: number): void => void shares.push(share)
    return surveyInRanges(counted, sound, { kept: kept(most), signal, onShare, ranges })
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
  expect(asked.filter((what) => what === 'breaths')).toHaveLength(2 * 3)
  expect(shares.slice(0, 3)).toEqual([1 / 6, 2 / 6, 3 / 6])
  const another = aSurvey()
  const all: number[] = []
  expect(await another.look(await aSound(0.5), Infinity, all)).toEqual(found)
  expect(all.map((share) => Math.round(600 * share))).toEqual([100, 200, 300, 400, 500, 600])
  expect(found).toMatchObject({
    length: 2_500,
    survey: { names: ['Spool'], language: '5 3.000' },
  })
  expect(found.survey.breaths).toHaveLength(5)
  expect([...another.texts]).toEqual([...texts])
})

it('hears in ranges what it hears in the whole, to the bit', async () => {
  const samples = 1.25 * pieceLength
  const { soundPath } = await aSound(0.5, samples)
  const { signal } = new AbortController()
  const listening = thread.listen(soundPath, signal)
  listening.grown(true)
  const { probabilities } = await listening.answer
  const first = await thread.activity({ soundPath, from: 0, to: pieceLength }, signal)
  const rest = { from: pieceLength, to: samples, state: first.state }
  const second = await thread.activity({ soundPath, ...rest }, signal)
  expect([...first.probabilities, ...second.probabilities]).toEqual([...probabilities])
  expect(Math.max(...probabilities)).toBeGreaterThan(0.001)
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
