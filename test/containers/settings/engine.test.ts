import { copyFile, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nameEngine, type OnMachine } from '../../../containers/settings/engine.ts'
import { loadSettings } from '../../../containers/settings/settings.ts'

it('names another engine for another ffmpeg, font, model or largest result, and for nothing else', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-engine-'))
  const fileOf = async (name: string, text: string) => {
    await writeFile(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const models = await mkdtemp(path.join(folder, 'models-'))
  const model = path.join(models, 'model.onnx')
  await writeFile(model, 'a'.repeat(300_000))
  const env = { MEDIA_WORKER_TOKEN: 'sixteen-letters-or-more', SPEECH_MODEL_DIR: models }
  const file = await fileOf('ffmpeg', 'one build')
  const [font, other] = [await fileOf('Sans.ttf', 'font'), await fileOf('Thai.ttf', 'font')]
  const nowhere = path.join(folder, 'Gone.ttf')
  await symlink(path.join(folder, 'removed.ttf'), nowhere)
  const about = 'ffmpeg version 5.1'
  const name = (more: object = {}, machine: Partial<OnMachine> = {}) =>
    nameEngine(loadSettings({ ...env, ...more }), {
      ...{ ffmpeg: { about, file }, fonts: [font] },
      ...machine,
    })
  const usual = name()
  expect(
    name({ SPEECH_PROVIDER: 'deepgram', SPEECH_MODEL_DIR: '/nowhere', DEEPGRAM_API_KEY: 'k' }),
  ).not.toBe(usual)
  expect(name({ MEDIA_PORT: '9000', FFMPEG_THREADS: '3', OPENAI_API_KEY: 'sk-1' })).toBe(usual)
  const moved = path.join(models, '../moved')
  await copyFile(file, moved)
  expect(name({}, { ffmpeg: { about, file: moved } })).toBe(usual)
  const others = [
    name({}, { ffmpeg: { about: `${about} --enable-libx265`, file } }),
    name({}, { ffmpeg: { about, file: await fileOf('wrapped', 'a wrapper') } }),
    name({}, { fonts: [font, other] }),
    name({}, { fonts: [font, nowhere] }),
    name({ OPENAI_SPEECH_MODEL: 'gpt-4o-transcribe' }),
    name({ MAX_OUTPUT_BYTES: '1000000' }),
  ]
  await writeFile(model, `${'a'.repeat(150_000)}${'b'.repeat(150_000)}`)
  expect(new Set([usual, ...others, name()]).size).toBe(8)
})
