import { expect, it } from 'vitest'
import { nameEngine } from '../../../containers/settings/engine.ts'
import { loadSettings } from '../../../containers/settings/settings.ts'

it('names another engine for another ffmpeg, another model and another largest result, and for nothing else', () => {
  const env = { MEDIA_WORKER_TOKEN: 'sixteen-letters-or-more' }
  const name = (more: object = {}, ffmpeg = 'ffmpeg version 5.1') =>
    nameEngine(loadSettings({ ...env, ...more }), ffmpeg)
  const usual = name()
  expect(name({ MEDIA_PORT: '9000', FFMPEG_THREADS: '3', OPENAI_API_KEY: 'sk-1' })).toBe(usual)
  const others = [
    name({}, 'ffmpeg version 5.1 --enable-libx265'),
    name({ OPENAI_SPEECH_MODEL: 'gpt-4o-transcribe' }),
    name({ MAX_OUTPUT_BYTES: '1000000' }),
  ]
  expect(new Set([usual, ...others]).size).toBe(4)
})
