import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runModels } from '../../../scripts/models/run-models.ts'
import { commit, modelFiles, startHub, type ModelHub } from '../../support/scripts/model-hub.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

function commandsFor(hub: Pick<ModelHub, 'origin'>, stop = new AbortController().signal) {
  const folder = temporaryDirectory()
  const said: string[] = []
  const env = { SPOOL_DATA_DIR: folder, SPOOL_MODELS_URL: hub.origin }
  const run = async (...argv: string[]) =>
    runModels(argv, { env, stop, out: { isTTY: true, write: (text) => said.push(text) } })
  return { run, said, models: path.join(folder, 'models') }
}

const chosen = [...modelFiles().keys()].filter(
  (name) => name !== 'README.md' && name !== 'onnx/encoder_model.onnx',
)
const decoder = 'onnx/decoder_model_merged_quantized.onnx'

describe('npm run models', () => {
  it('fetches the files of a variant, says how far it is, and how to use them', async () => {
    const hub = await startHub()
    const { run, said, models } = commandsFor(hub)
    const end = await run('get', 'whisper-base')
    const folder = path.join(models, 'whisper-base')
    expect(end).toBe(
      `Every file has the checksum that the hub has for it (commit ${commit}).\nTo use it: SPEECH_MODEL_DIR=${folder} npm start\n`,
    )
    for (const name of chosen) {
      expect(readFileSync(path.join(folder, name))).toEqual(hub.files.get(name))
    }
    expect(readdirSync(path.join(folder, 'onnx'))).toHaveLength(3)
    expect(said[0]).toBe(
      `whisper-base (quantized): 150 kB in 7 files from ${hub.origin}/onnx-community/whisper-base_timestamped, licence mit\n`,
    )
    expect(said.join('')).toContain('Fetching: 0 % of 150 kB')
    expect(statSync(path.join(folder, decoder)).mode & 0o077).toBe(0)

    expect(await run('list')).toMatch(/whisper-base +150 kB +99.* MIT +here, quantized\n/)
    expect(await run('get', 'whisper-base', '--variant', 'q4')).toContain('is there already')
    expect(await run('remove', 'whisper-base')).toBe('whisper-base is removed.\n')
    expect(existsSync(folder)).toBe(false)
    expect(await run('list')).toMatch(/whisper-base +about 80 MB .* not here\n/)
  })

  it('goes on where it was broken off, if the file is still the same', async () => {
    const hub = await startHub()
    const { run, models } = commandsFor(hub)
    hub.cutAfter = 20_000
    await expect(run('get', 'whisper-base')).rejects.toThrow('The same command goes on')
    expect(await run('list')).toMatch(/whisper-base .* begun\n/)
    const part = path.join(models, 'whisper-base.partial/onnx/encoder_model_quantized.onnx.part')
    const length = statSync(part).size
    expect(length).toBeGreaterThan(0)
    await run('get', 'whisper-base')
    const [, again] = hub.asked.filter(({ path: asked }) =>
      asked.endsWith('encoder_model_quantized.onnx'),
    )
    expect(again).toMatchObject({ range: `bytes=${length}-`, ifRange: '"one"' })
    // The small files were complete.
    expect(hub.asked.filter(({ path: asked }) => asked.endsWith('tokenizer.json'))).toHaveLength(1)
    expect(await run('list')).toContain('here, quantized')
  })

  it('begins a file again that has changed meanwhile', async () => {
    const hub = await startHub()
    const { run } = commandsFor(hub)
    hub.cutAfter = 20_000
    await expect(run('get', 'whisper-base')).rejects.toThrow()
    hub.etag = '"two"'
    await run('get', 'whisper-base')
    expect(await run('list')).toContain('here, quantized')
  })

  it.each(['config.json', decoder])('refuses %s if its checksum is another', async (name) => {
    const hub = await startHub()
    const { run, models } = commandsFor(hub)
    const right = hub.files.get(name) ?? Buffer.alloc(0)
    // The list is made of what the hub should have.
    const wrong = Buffer.from(right.toReversed())
    hub.files.get = (key) => (key === name ? wrong : modelFiles().get(key))
    await expect(run('get', 'whisper-base')).rejects.toThrow(`${name} does not have the checksum`)
    const partial = path.join(models, 'whisper-base.partial', name)
    expect([existsSync(partial), existsSync(`${partial}.part`)]).toEqual([false, false])
  })

  it('writes nothing outside of its folder, whatever the hub lists', async () => {
    const files = modelFiles()
    files.set('../../escaped.json', Buffer.from('x'))
    files.set('onnx/encoder_model_quantized.onnx_data/../../../escaped', Buffer.from('x'))
    const hub = await startHub(files)
    const { run, models } = commandsFor(hub)
    await run('get', 'whisper-base')
    expect(hub.asked.filter(({ path: asked }) => asked.includes('escaped'))).toEqual([])
    expect(readdirSync(models)).toEqual(['whisper-base'])
  })

  it('stops when it is told to, and leaves what it has', async () => {
    const hub = await startHub()
    const stop = new AbortController()
    const { run, models } = commandsFor(hub, stop.signal)
    hub.files.get = (key) => {
      if (key.startsWith('onnx/')) stop.abort()
      return modelFiles().get(key)
    }
    await expect(run('get', 'whisper-base')).rejects.toThrow('aborted')
    expect(existsSync(path.join(models, 'whisper-base.partial/config.json'))).toBe(true)
  })

  it('asks for the room before it fetches', async () => {
    const hub = await startHub()
    const { run } = commandsFor(hub)
    hub.claimed.set(decoder, 1e15)
    await expect(run('get', 'whisper-base')).rejects.toThrow(/ free, and .* are needed\./)
    expect(hub.asked.filter(({ path: asked }) => asked.includes('resolve'))).toEqual([])
  })

  it('says plainly that there is no network, no such variant, or no hub', async () => {
    const nowhere = commandsFor({ origin: 'http://127.0.0.1:1' })
    await expect(nowhere.run('get', 'whisper-tiny')).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1 cannot be reached: .*\nWithout a network, copy the folder/,
    )
    const hub = await startHub()
    const { run } = commandsFor(hub)
    await expect(run('get', 'whisper-tiny', '--variant', 'q4')).rejects.toThrow(
      'The hub has no variant q4 of this model; it has: quantized.',
    )
    const empty = await startHub(new Map([['config.json', Buffer.from('{}')]]))
    await expect(commandsFor(empty).run('get', 'whisper-tiny')).rejects.toThrow(
      'The hub has no generation_config.json of this model.',
    )
  })

  it.each([
    [['get'], 'There is no model ""; there are whisper-tiny'],
    [['get', 'gpt'], 'There is no model "gpt"'],
    [['get', 'whisper-tiny', '--variant', 'toString'], 'There is no variant "toString"'],
    [['fetch'], '"fetch" is not understood'],
    [['list', '--loud'], "Unknown option '--loud'"],
  ])('says what is wrong with %j', async (argv, message) => {
    const { run } = commandsFor({ origin: 'http://127.0.0.1:1' })
    await expect(run(...argv)).rejects.toMatchObject({
      message: expect.stringContaining(message) as unknown,
      exitCode: 2,
    })
  })
})
