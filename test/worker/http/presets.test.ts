import { describe, expect, it } from 'vitest'
import { builtInPresets } from '../../../worker/contract/options/presets/built-in-presets.ts'
import { presetLimits } from '../../../worker/contract/limits.ts'
import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { presetPage, presetRecord } from '../../../worker/contract/options/presets/preset.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { refusal, type Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { aField, aFile, leftBehind, nothing, upload } from '../../support/worker/upload-form.ts'
import { aVideo, sourceUrl } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const path = '/v1/presets'

async function put(client: Client, name: string, fields: object, more: object = {}) {
  const body = JSON.stringify({ fields, ...more })
  const headers = { 'Content-Type': 'application/json' }
  return client.send(`${path}/${name}`, { method: 'PUT', body, headers })
}

async function aPreset(client: Client, fields: object, name = 'mine'): Promise<void> {
  const answer = await put(client, name, fields)
  expect(answer.status, answer.text).toBeLessThan(202)
}

describe('PUT /v1/presets/{presetName}', () => {
  it('keeps exactly the fields that were given, and replaces them', async () => {
    const client = await aClient()
    const created = await put(
      client,
      'podcast',
      { removeSilence: true, combine: false },
      {
        description: 'Episodes',
      },
    )
    expect(created.status, created.text).toBe(201)
    expect(presetRecord.parse(created.json)).toMatchObject({
      name: 'podcast',
      description: 'Episodes',
      builtIn: false,
    })
    expect(created.json['fields']).toEqual({ removeSilence: true, combine: false })
    advanceSeconds(5)
    const replaced = await put(client, 'podcast', { outputFormat: 'webm' })
    expect(replaced.status).toBe(200)
    expect(replaced.json).toMatchObject({
      description: null,
      fields: { outputFormat: 'webm' },
      createdAt: created.json['createdAt'],
    })
    expect(replaced.json['lastUpdatedAt']).not.toBe(created.json['lastUpdatedAt'])
    expect((await client.get(`${path}/podcast`)).json).toEqual(replaced.json)
  })

  it.each<[string, object, string, string]>([
    ['a source', { fileUrl: sourceUrl }, 'fields.fileUrl', 'Not part of a preset'],
    ['another preset', { preset: 'captions' }, 'fields.preset', 'cannot start from another'],
    ['a misspelt option', { removeSilense: true }, 'fields.removeSilense', 'removeSilence?'],
    ['a wrong value', { compressionQuality: 0 }, 'fields.compressionQuality', 'from 1 to 100'],
    ['nothing', {}, 'fields', 'at least one field'],
    ['a private address', { webhookUrl: 'https://127.0.0.1/' }, 'fields.webhookUrl', 'Must not'],
    [
      'too much',
      {
        elements: Array.from({ length: 20 }, () => ({
          type: 'image',
          url: sourceUrl.padEnd(2000, 'x'),
        })),
      },
      'fields',
      'Must be at most 32768 bytes of JSON',
    ],
  ])('refuses %s', async (_, fields, field, message) => {
    const answer = await put(await aClient(), 'mine', fields)
    expect(answer.status).toBe(400)
    expect(answer.json['details']).toEqual([
      { field, message: expect.stringContaining(message) as string },
    ])
  })

  it.each(['Upper', 'a_b', '-a', 'a-', 'x'.repeat(64)])('refuses the name %s', async (name) => {
    const answer = await put(await aClient(), name, { removeSilence: true })
    expect(answer.json['details']).toMatchObject([{ field: 'presetName' }])
  })

  it('leaves the names of built-in presets alone', async () => {
    const client = await aClient()
    expect(refusal(await put(client, 'captions', { removeSilence: true }))).toMatchObject({
      status: 409,
      message: 'The preset captions is built in; use another name for your own.',
    })
    expect((await client.delete(`${path}/captions`)).status).toBe(409)
  })

  it('takes as many as an account may have, and then only changes those', async () => {
    const client = await aClient()
    const insert = bindings.DB.prepare('INSERT INTO presets VALUES (?, ?, NULL, ?, 0, 0)')
    const rows = Array.from({ length: presetLimits.perAccount - 1 }, (_, i) =>
      insert.bind(client.accountId, `p${i}`, '{"combine":false}'),
    )
    await bindings.DB.batch(rows)
    expect((await put(client, 'last', { removeSilence: true })).status).toBe(201)
    expect((await put(client, 'beyond', { removeSilence: true })).status).toBe(409)
    advanceSeconds(1)
    expect((await put(client, 'last', { removeNoise: true })).status).toBe(200)
    expect((await put(await aClient(), 'first', { removeSilence: true })).status).toBe(201)
    expect((await client.delete(`${path}/p0`)).status).toBe(204)
    expect((await put(client, 'beyond', { removeSilence: true })).status).toBe(201)
  })
})

it('the presets of an account are listed by name, before the built-in ones', async () => {
  const client = await aClient()
  await aPreset(client, { removeSilence: true }, 'zoo')
  await aPreset(client, { removeSilence: true }, 'ape')
  const page = presetPage.parse((await client.get(path)).json)
  expect(page.data.map(({ name }) => name)).toEqual(['ape', 'zoo', ...builtInPresets.keys()])
  expect((await client.get(`${path}/captions`)).json).toMatchObject({ builtIn: true })
})

describe('a request with a preset', () => {
  it('has the fields of the preset that it leaves out, and the record tells both', async () => {
    const client = await aClient()
    await aPreset(client, {
      removeSilence: true,
      outputFormat: 'webm',
      metadata: { a: 1, b: 2 },
      removeSegments: [{ startTime: 0, endTime: 1 }],
      videoName: 'Episode',
    })
    const request = { preset: 'mine', outputFormat: 'mov', metadata: { c: 3 }, removeSegments: [] }
    const { videoId } = await aVideo(client, request)
    expect(await client.record(videoId)).toMatchObject({
      ...optionsSchema.parse({ removeSilence: true }),
      ...request,
      videoName: 'Episode',
    })
  })

  it.each([...builtInPresets])(
    'can start from the built-in preset %s',
    async (preset, { fields }) => {
      const client = await aClient()
      const source = fields.combine
        ? { files: [{ url: sourceUrl }, { url: sourceUrl }] }
        : { fileUrl: sourceUrl }
      const answer = await client.post('/v1/videos', { ...source, preset })
      expect(answer.status, answer.text).toBe(202)
      expect(await client.record(answer.json['videoId'])).toMatchObject({ ...fields, preset })
    },
  )

  it('comes as a form too, wherever its preset stands in it', async () => {
    const client = await aClient()
    await aPreset(client, { removeSilence: true, compressionQuality: 60 })
    const [preset, quality] = [aField('preset', 'mine'), aField('compressionQuality', '70')]
    for (const parts of [
      [preset, quality, aFile()],
      [aFile(), quality, preset],
    ]) {
      const answer = await upload(client, parts)
      expect(answer.status, answer.text).toBe(202)
      expect(await client.record(answer.json['videoId'])).toMatchObject({
        preset: 'mine',
        removeSilence: true,
        compressionQuality: 70,
      })
    }
  })

  it('is told of a preset that does not exist, with the nearest name and every other fault', async () => {
    const client = await aClient()
    await aPreset(client, { removeSilence: true }, 'podcast')
    const ask = (preset: unknown) =>
      client.post('/v1/videos', { fileUrl: sourceUrl, preset, rotate: 45 })
    const rotate = { field: 'rotate', message: 'Must be 0, 90, 180 or 270' }
    const field = 'preset'
    expect((await ask('podcasts')).json['details']).toEqual([
      { field, message: 'There is no preset podcasts; did you mean podcast?' },
      rotate,
    ])
    expect((await ask('clean-tlak')).json['details']).toMatchObject([
      { field, message: 'There is no preset clean-tlak; did you mean clean-talk?' },
      rotate,
    ])
    expect((await ask('Clean Talk')).json['details']).toContainEqual({
      field,
      message: expect.stringContaining('lower-case letters') as string,
    })
    const form = await upload(client, [aField('preset', 'podcasts'), aFile()])
    expect(form.json['details']).toMatchObject([{ field }])
    expect(await leftBehind(client)).toEqual(nothing)
  })

  it('is told which of its faults come from the preset', async () => {
    const client = await aClient()
    const single = await client.post('/v1/videos', { fileUrl: sourceUrl, preset: 'join-clips' })
    expect(single.json['details']).toEqual([
      {
        field: 'combine',
        message: 'Must not be true without files (from the preset join-clips)',
      },
    ])
    const form = await upload(client, [aField('preset', 'join-clips'), aFile()])
    expect(form.json['details']).toEqual([
      { field: 'combine', message: 'Uploads cannot be combined (from the preset join-clips)' },
    ])
  })
})
