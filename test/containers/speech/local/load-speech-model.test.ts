import { readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSpeechModel } from '../../../../containers/speech/local/load-speech-model.ts'
import { readModelTexts } from '../../../../containers/speech/local/whisper/model-texts.ts'
import { whisperTokens } from '../../../../containers/speech/local/whisper/whisper-tokens.ts'
import { textOfTokens } from '../../../../containers/speech/local/vocabulary.ts'
import { tokenOf } from '../../../support/containers/models/tiny-whisper-script.ts'
import { tinyWhisper } from '../../../support/containers/models/tiny-whisper.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'

async function change(
  folder: string,
  name: string,
  edit: (json: Record<string, unknown>) => unknown,
) {
  const file = path.join(folder, name)
  const json = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  await writeFile(file, JSON.stringify(edit(json)))
}

const without =
  (name: string) =>
  (json: Record<string, unknown>): object =>
    Object.fromEntries(Object.entries(json).filter(([key]) => key !== name))

describe('loadSpeechModel', () => {
  it.each<[string, (folder: string) => Promise<unknown>]>([
    ['encoder_model.onnx is missing', (folder) => rm(path.join(folder, 'encoder_model.onnx'))],
    [
      'decoder_model_merged.onnx or decoder_model.onnx is missing',
      (folder) => rm(path.join(folder, 'decoder_model_merged.onnx')),
    ],
    [
      'decoder_model_merged.onnx cannot be loaded',
      (folder) => truncate(path.join(folder, 'decoder_model_merged.onnx'), 500),
    ],
    [
      'tokenizer.json is missing, and so is vocab.json',
      (folder) => rm(path.join(folder, 'tokenizer.json')),
    ],
    [
      'tokenizer.json is not JSON',
      (folder) => writeFile(path.join(folder, 'tokenizer.json'), '{"model"'),
    ],
    [
      'tokenizer.json: model is wrong',
      (folder) => change(folder, 'tokenizer.json', without('model')),
    ],
    [
      'config.json, with its model_type, is missing',
      (folder) => rm(path.join(folder, 'config.json')),
    ],
    [
      'config.json: model_type is bert',
      (folder) => change(folder, 'config.json', () => ({ model_type: 'bert' })),
    ],
    [
      'generation_config.json has no task_to_id.transcribe',
      async (folder) => {
        await change(folder, 'generation_config.json', without('task_to_id'))
        await change(folder, 'tokenizer.json', (json) => ({ ...json, added_tokens: [] }))
      },
    ],
    [
      'encoder_model.onnx takes 80 mel bands, and preprocessor_config.json',
      (folder) =>
        change(folder, 'preprocessor_config.json', (json) => ({ ...json, feature_size: 128 })),
    ],
    [
      'preprocessor_config.json: sampling_rate is wrong',
      (folder) =>
        change(folder, 'preprocessor_config.json', (json) => ({ ...json, sampling_rate: 8_000 })),
    ],
  ])('says "%s"', async (message, spoil) => {
    const folder = await tinyWhisper()
    await spoil(folder)
    await expect(loadSpeechModel(folder)).rejects.toThrow(message)
  })

  it('reads a decoder in two files only if they fit together', async () => {
    const [one, other] = await Promise.all([tinyWhisper({ make: 'pair' }), tinyWhisper()])
    await rm(path.join(one, 'decoder_model.onnx'))
    await symlink(path.join(other, 'encoder_model.onnx'), path.join(one, 'decoder_model.onnx'))
    await expect(loadSpeechModel(one)).rejects.toThrow(
      'decoder_model.onnx has no input encoder_hidden_states',
    )
  })

  it('says that a folder is none, or holds no Moonshine', async () => {
    await expect(loadSpeechModel('/nowhere')).rejects.toThrow('it is not a folder')
    await expect(loadSpeechModel(await aFolder())).rejects.toThrow(
      'encoder_model.onnx cannot be loaded',
    )
  })

  it('names the tokenizer of a Moonshine that is wrong', async () => {
    const folder = await aFolder()
    await writeFile(path.join(folder, 'tokenizer.json'), '{}')
    await expect(loadSpeechModel(folder)).rejects.toThrow('tokenizer.json: model is wrong')
  })
})

describe('whisperTokens', () => {
  it('finds the numbers by their names where the settings do not have them', async () => {
    const folder = await tinyWhisper()
    const told = whisperTokens(await readModelTexts(folder))
    await writeFile(path.join(folder, 'generation_config.json'), '{}')
    const found = whisperTokens(await readModelTexts(folder))
    expect(found).toEqual({ ...told, suppressedFirst: [tokenOf('end')] })
    expect([...found.languages]).toEqual([
      ['fi', tokenOf('fi')],
      ['ja', tokenOf('ja')],
    ])
  })

  it('reads the older files of a tokenizer', async () => {
    const folder = await tinyWhisper()
    const told = whisperTokens(await readModelTexts(folder))
    const whole = JSON.parse(await readFile(path.join(folder, 'tokenizer.json'), 'utf8')) as {
      model: { vocab: object }
      added_tokens: { id: number; content: string }[]
    }
    await rm(path.join(folder, 'tokenizer.json'))
    await writeFile(path.join(folder, 'vocab.json'), JSON.stringify(whole.model.vocab))
    const added = whole.added_tokens.map(({ id, content }) => [content, id])
    await writeFile(
      path.join(folder, 'added_tokens.json'),
      JSON.stringify(Object.fromEntries(added)),
    )
    expect(whisperTokens(await readModelTexts(folder))).toEqual(told)
    expect(
      textOfTokens(
        told.vocabulary,
        ['to1', 'to2', 'kyo', 'maru'].map((word) => tokenOf(word as 'to1')),
      ),
    ).toBe('東京。')
  })

  it('takes a model with the vocabulary of English for one of English, whatever languages it names', async () => {
    const folder = await tinyWhisper()
    await writeFile(path.join(folder, 'generation_config.json'), '{}')
    await change(folder, 'config.json', (json) => ({ ...json, vocab_size: 51_864 }))
    expect(whisperTokens(await readModelTexts(folder))).toMatchObject({
      languages: new Map(),
      transcribe: undefined,
    })
  })

  it('knows no timestamps where the vocabulary ends before them', async () => {
    const folder = await tinyWhisper()
    await change(folder, 'config.json', (json) => ({ ...json, vocab_size: tokenOf('t0') }))
    expect(whisperTokens(await readModelTexts(folder))).toMatchObject({
      noTimestamps: tokenOf('notimestamps'),
      firstTimestamp: undefined,
    })
  })

  it('suppresses what steers the model even if the tokenizer does not name it', async () => {
    const folder = await tinyWhisper()
    await change(folder, 'tokenizer.json', (json) => ({ ...json, added_tokens: [] }))
    const { suppressed } = whisperTokens(await readModelTexts(folder))
    expect(suppressed).toContain(tokenOf('translate'))
    expect(suppressed).not.toContain(tokenOf('end'))
    expect(suppressed).not.toContain(tokenOf('t0'))
  })

  it('keeps pieces of text whose numbers come after the end', async () => {
    const folder = await tinyWhisper()
    await change(folder, 'generation_config.json', (json) => ({ ...json, eos_token_id: 2 }))
    const { vocabulary, suppressed } = whisperTokens(await readModelTexts(folder))
    expect(textOfTokens(vocabulary, [0, 1, 2, 4])).toBe('hei maa no')
    expect(suppressed).not.toContain(4)
    expect(suppressed).toContain(tokenOf('sot'))
  })
})
