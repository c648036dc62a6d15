import { describe, expect, it } from 'vitest'
import { templateLimits } from '../../../worker/contract/limits.ts'
import { presetRecord } from '../../../worker/contract/options/presets/preset.ts'
import { aClient } from '../../support/worker/accounts.ts'
import type { Client } from '../../support/worker/client.ts'
import { aField, aFile, upload } from '../../support/worker/upload-form.ts'
import { sourceUrl } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

async function put(client: Client, fields: object) {
  return client.request('PUT', '/v1/presets/mine', { fields })
}

async function aPreset(fields: object): Promise<Client> {
  const client = await aClient()
  const answer = await put(client, fields)
  expect(answer.status, answer.text).toBe(201)
  return client
}

async function create(client: Client, values?: unknown, more: object = {}) {
  return client.post('/v1/videos', { fileUrl: sourceUrl, preset: 'mine', values, ...more })
}

async function made(client: Client, values: object, more: object = {}) {
  const answer = await create(client, values, more)
  expect(answer.status, answer.text).toBe(202)
  return client.record(answer.json['videoId'])
}

const text = (words: string) => ({ elements: [{ type: 'text', text: words }] })
const image = (url: string) => ({ elements: [{ type: 'image', url }] })

describe('a preset with templates', () => {
  it('is kept as it was sent, and lists its values with the fields they fill', async () => {
    const fields = {
      videoName: '{{title}}, {{ part }}',
      compressionQuality: '{{quality}}',
      outputFormat: '{{format}}',
      removeSegments: [{ startTime: '{{from}}', endTime: '{{to}}' }],
      elements: [{ type: 'text', text: '{{title}}', timing: { startTime: '{{from}}' } }],
      metadata: { row: '{{row}}' },
    }
    const client = await aPreset(fields)
    const { json } = await client.get('/v1/presets/mine')
    expect(presetRecord.parse(json)).toMatchObject({ fields })
    expect(json['values']).toEqual([
      { name: 'title', fields: ['videoName', 'elements[0].text'] },
      { name: 'part', fields: ['videoName'] },
      { name: 'quality', fields: ['compressionQuality'] },
      { name: 'format', fields: ['outputFormat'] },
      { name: 'from', fields: ['removeSegments[0].startTime', 'elements[0].timing.startTime'] },
      { name: 'to', fields: ['removeSegments[0].endTime'] },
      { name: 'row', fields: ['metadata.row'] },
    ])
  })

  it.each<[string, object, string, string]>([
    ['a misspelt field beside them', { videoNam: '{{a}}' }, 'fields.videoNam', 'videoName?'],
    ['text in a number', { compressionQuality: '{{a}}0' }, 'fields.compressionQuality', 'Must be'],
    [
      'a number that is wrong anyway',
      { compressionQuality: 0, videoName: '{{a}}' },
      'fields.compressionQuality',
      'from 1 to 100',
    ],
    [
      'braces without a name',
      { videoName: '{{first name}}' },
      'fields.videoName',
      'begins no {{name}}',
    ],
    [
      'braces that do not end',
      { videoName: '{{a}} {{b' },
      'fields.videoName',
      'begins no {{name}}',
    ],
    [
      'too many names',
      { videoName: Array.from({ length: 51 }, (_, i) => `{{a${i}}}`).join('') },
      'fields',
      'at most 50',
    ],
  ])('is refused with %s', async (_, fields, field, message) => {
    const answer = await put(await aClient(), fields)
    expect(answer.status).toBe(400)
    expect(answer.json['details']).toEqual(
      expect.arrayContaining([{ field, message: expect.stringContaining(message) as string }]),
    )
  })
})

describe('the values of a request', () => {
  it('become what the field takes: text, a number from text, one of several words', async () => {
    const client = await aPreset({
      videoName: '{{title}}: {{n}}',
      compressionQuality: '{{n}}',
      outputFormat: '{{format}}',
      removeSilence: '{{quiet}}',
      ...text('{{n}}'),
    })
    const values = { title: 'Été', n: '42', format: 'webm', quiet: 'true' }
    expect(await made(client, values)).toMatchObject({
      videoName: 'Été: 42',
      compressionQuality: 42,
      outputFormat: 'webm',
      removeSilence: true,
      elements: [{ text: '42' }],
      values,
      preset: 'mine',
    })
    expect(await made(client, { ...values, n: 7 })).toMatchObject({
      compressionQuality: 7,
      elements: [{ text: '7' }],
    })
  })

  it('are never read as templates, and their markup stays text', async () => {
    const client = await aPreset({ videoName: '{{b}}', ...text('{{a}} {{b}}') })
    const marked = String.raw`{{b}} {\b1} <b>$& $1`
    expect(await made(client, { a: marked, b: '{{a}}' })).toMatchObject({
      videoName: '{{a}}',
      elements: [{ text: `${marked} {{a}}` }],
    })
  })

  it('begin no cue and no style in the text of captions', async () => {
    const file = '1\n00:00:00,000 --> 00:00:02,000\n{{line}}\n'
    const client = await aPreset({ captions: { source: { text: file } } })
    const line = 'Hi <b>you</b>\n\n2\n00:00:02,000 --> 00:00:09,000\nmore'
    const { captions } = await made(client, { line })
    expect(captions).toEqual({
      source: {
        text: '1\n00:00:00,000 --> 00:00:02,000\nHi ‹b>you‹/b> 2 00:00:02,000 → 00:00:09,000 more\n',
      },
    })
  })

  it('are one encoded part within an address, and any address by themselves', async () => {
    const client = await aPreset(image('https://cdn.example.com/{{file}}?name={{who}}'))
    expect(await made(client, { file: 'a/b c.png', who: 'x&y=1#z' })).toMatchObject({
      elements: [{ url: 'https://cdn.example.com/a%2Fb%20c.png?name=x%26y%3D1%23z' }],
    })
    await put(client, image('{{logo}}'))
    const logo = 'https://cdn.example.com/logo.png'
    expect(await made(client, { logo })).toMatchObject({ elements: [{ url: logo }] })
  })

  it.each<[string, object, unknown, string, string]>([
    [
      'are missing',
      text('{{title}} {{more}}'),
      { more: 1 },
      'values.title',
      'Required: the preset mine has {{title}} in elements[0].text',
    ],
    [
      'are unknown',
      text('{{title}}'),
      { title: 'x', tilte: 'x' },
      'values.tilte',
      'only title; did you mean title?',
    ],
    ['are of a wrong kind', text('{{title}}'), { title: ['x'] }, 'values.title', 'Must be text'],
    [
      'are too long',
      text('{{title}}'),
      { title: 'x'.repeat(templateLimits.valueLength + 1) },
      'values.title',
      'at most',
    ],
    [
      'do not fit the field',
      { compressionQuality: '{{q}}' },
      { q: 101 },
      'values.q',
      'Must be from 1 to 100 (compressionQuality of the preset mine)',
    ],
    ['are not a number', { compressionQuality: '{{q}}' }, { q: 'best' }, 'values.q', 'Must be'],
    [
      'name a private host',
      image('{{logo}}'),
      { logo: 'http://169.254.169.254/' },
      'values.logo',
      'elements[0].url',
    ],
    [
      'name a private host in part',
      image('https://{{host}}/a.png'),
      { host: '10.0.0.1' },
      'values.host',
      'elements[0].url',
    ],
    [
      'climb',
      image('https://cdn.example.com/mine/{{file}}/a.png'),
      { file: '..' },
      'values.file',
      'Must not be . or ..',
    ],
    [
      'make a name blank',
      { videoName: '{{name}}' },
      { name: ' ' },
      'values.name',
      'Must not be blank',
    ],
    ['are not an object', text('{{title}}'), 'x', 'values', 'Must be an object'],
  ])('are refused by their path where they %s', async (_, fields, values, field, message) => {
    const client = await aPreset(fields)
    const answer = await create(client, values)
    expect(answer.status).toBe(400)
    const details = answer.json['details'] as { field: string; message: string }[]
    expect(details.map((fault) => fault.field)).toContain(field)
    expect(details.find((fault) => fault.field === field)?.message).toContain(message)
  })

  it('are needed only for fields that the request leaves to the preset', async () => {
    const client = await aPreset({ videoName: '{{title}}', removeSilence: true })
    expect(await made(client, {}, { videoName: 'Mine' })).toMatchObject({ videoName: 'Mine' })
  })

  it('are nothing without a preset', async () => {
    const client = await aClient()
    const answer = await client.post('/v1/videos', { fileUrl: sourceUrl, values: { a: 1 } })
    expect(answer.json['details']).toMatchObject([{ field: 'values' }])
    const plain = await client.post('/v1/videos', { fileUrl: sourceUrl, videoName: '{{a}}' })
    expect(plain.status).toBe(202)
  })

  it('cannot make a request of any size', async () => {
    const client = await aPreset({
      metadata: { a: '{{a}}' },
      elements: Array.from({ length: 50 }, () => ({ type: 'text', text: '{{a}}{{a}}{{a}}{{a}}' })),
    })
    const answer = await create(client, { a: 'x'.repeat(5000) })
    expect(answer.json['details']).toEqual(
      expect.arrayContaining([
        {
          field: 'values',
          message: expect.stringContaining(`at most ${templateLimits.filledBytes}`) as string,
        },
      ]),
    )
  })

  it('come with a form too', async () => {
    const client = await aPreset({ videoName: '{{title}}' })
    const form = [aField('preset', 'mine'), aField('values', '{"title":"From a form"}'), aFile()]
    const answer = await upload(client, form)
    expect(answer.status, answer.text).toBe(202)
    const { json } = await client.get(`/v1/videos/${String(answer.json['videoId'])}`)
    expect(json).toMatchObject({ videoName: 'From a form' })
  })
})
