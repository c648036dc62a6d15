import { rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseProviders } from '../../../containers/insight/choose-providers.ts'
import { loadSettings, SettingsError } from '../../../containers/settings/settings.ts'
import { tinyWhisper } from '../../support/containers/models/tiny-whisper.ts'

const providersFor = (settings: Record<string, string>) =>
  chooseProviders(
    loadSettings({ MEDIA_WORKER_TOKEN: 'a token of forty characters for the tests', ...settings }),
  )

describe('chooseProviders', () => {
  it('refuses a folder without a whole model, and names the folder and what it lacks', async () => {
    const folder = await tinyWhisper()
    await rm(path.join(folder, 'tokenizer.json'))
    const preparing = providersFor({ SPEECH_MODEL_DIR: folder }).prepare()
    await expect(preparing).rejects.toThrow(
      `SPEECH_MODEL_DIR=${folder}: tokenizer.json is missing, and so is vocab.json`,
    )
    await expect(preparing).rejects.toBeInstanceOf(SettingsError)
  })

  it('does not look at the folder if somebody else transcribes', async () => {
    const settings = { SPEECH_PROVIDER: 'deepgram', SPEECH_MODEL_DIR: '/nowhere' }
    const { speech, prepare } = providersFor(settings)
    await prepare()
    expect(speech.name).toBe('deepgram')
  })

  it.each(['local', 'openai', 'cloudflare', 'deepgram', 'assemblyai'])('knows %s', (name) => {
    expect(providersFor({ SPEECH_PROVIDER: name }).speech.name).toBe(name)
  })
})
