import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { surveyOnce } from '../../../../containers/speech/local/kept-survey.ts'
import type { KeptWindows } from '../../../../containers/speech/kept-windows.ts'
import type { Surveyed } from '../../../../containers/speech/local/thread-messages.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

async function aSound(loudness: number) {
  const { folder } = await aToolContext()
  const soundPath = path.join(folder, 'speech.f32')
  await writeFile(soundPath, new Float32Array(1_000).fill(loudness))
  return { soundPath, names: ['Spool'], model: 'a'.repeat(64) }
}
type Sound = Awaited<ReturnType<typeof aSound>>

it('looks the same sound through once, for the same model and names, and again if what is kept is damaged', async () => {
  const texts = new Map<string, string>()
  const kept: KeptWindows = {
    find: async (names) =>
      Promise.resolve(new Map([...texts].filter(([name]) => names.includes(name)))),
    keep: async (name, text) => Promise.resolve(void texts.set(name, text)),
  }
  let looked = 0
  const look = async ({ names, model, ...sound }: Sound) =>
    surveyOnce(kept, { ...sound, names, model }, async () => {
      looked++
      const pieces = [{ start: 16, end: 800 }]
      const survey = { pieces, breaths: [{ start: 20, end: 300 }, ...pieces], names }
      const found = { ...survey, language: looked === 1 ? undefined : 'en' }
      return Promise.resolve<Surveyed>({ survey: found, length: 1_000, model })
    })
  const first = await look(await aSound(0.5))
  expect(await look(await aSound(0.5))).toEqual(first)
  expect(looked).toBe(1)
  const sound = await aSound(0.5)
  const other = await look({ ...sound, names: [] })
  expect(await look({ ...sound, names: [] })).toEqual(other)
  expect(looked).toBe(2)
  await look({ ...sound, model: 'b'.repeat(64) })
  await look(await aSound(0.25))
  expect(looked).toBe(4)
  for (const name of texts.keys()) texts.set(name, '{"length":1000')
  await look(sound)
  expect(looked).toBe(5)
})
