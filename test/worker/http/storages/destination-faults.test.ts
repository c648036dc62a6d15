import { describe, expect, it } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { aStorage, saying, standInS3 } from '../../../support/worker/storages/storages.ts'

const { media } = standInForAll()
const s3 = standInS3(media)

describe('destinations of a request', () => {
  const outputs = [{ name: 'web' }, { name: 'phone' }]

  it.each<[string, object, string, string]>([
    ['no storage', { destinations: [{ storage: 'nowhere' }] }, '[0].storage', 'no storage nowhere'],
    ['no list', { destinations: [] }, '', 'at least one destination'],
    [
      'a placeholder',
      { destinations: [{ storage: 'out', key: '{id}.mp4' }] },
      '[0].key',
      '{videoId}',
    ],
    ['a brace', { destinations: [{ storage: 'out', key: '{name.mp4' }] }, '[0].key', 'Has a brace'],
    ['steps', { destinations: [{ storage: 'out', key: '../a.mp4' }] }, '[0].key', '. or ..'],
    ['emptiness', { destinations: [{ storage: 'out', key: '' }] }, '[0].key', 'not be empty'],
    [
      'a long key',
      { destinations: [{ storage: 'out', key: `${'é'.repeat(400)}{videoName}` }] },
      '[0].key',
      'at most 1024 bytes',
    ],
    [
      'a key that is long below the prefix',
      { destinations: [{ storage: 'out', key: 'x'.repeat(1020) }] },
      '[0].key',
      'at most 1024 bytes',
    ],
    [
      'one key for two results',
      { outputs, destinations: [{ storage: 'out', key: '{videoId}.{extension}' }] },
      '[0].key',
      'Would write web and phone to the same key',
    ],
    [
      'two destinations at one key',
      { destinations: [{ storage: 'out' }, { storage: 'out' }] },
      '[1].key',
      'same key',
    ],
    [
      'an output that is not there',
      { outputs, destinations: [{ storage: 'out', outputs: ['tv'] }] },
      '[0].outputs[0]',
      'no output tv',
    ],
    [
      'an output without outputs',
      { destinations: [{ storage: 'out', outputs: ['web'] }] },
      '[0].outputs[0]',
      'Not used without outputs',
    ],
  ])('must be possible: %s', async (_, request, field, message) => {
    const client = await aClient()
    await aStorage(client, s3.current, 'out', { prefix: 'below' })
    const body = { fileUrl: 'https://media.example.com/a.mp4', ...request }
    const answer = await client.post('/v1/videos', body)
    expect(answer.status).toBe(400)
    expect(answer.json['details']).toEqual([
      { field: `destinations${field}`, message: saying(message) },
    ])
  })

  it('are told with the key of the first file, before anything is made', async () => {
    const client = await aClient()
    await aStorage(client, s3.current, 'out')
    const { json } = await client.post('/v1/videos', {
      fileUrl: 'https://media.example.com/a.mp4',
      outputs: [
        { name: 'line', outputFormat: 'sprite' },
        { name: 'one', outputFormat: 'jpg' },
        { name: 'two', outputFormat: 'jpg', times: [1, 2] },
      ],
      destinations: [{ storage: 'out', key: 'a/{name}.{extension}' }],
    })
    const record = await client.get(`/v1/videos/${String(json['videoId'])}`)
    expect(record.json['destinations']).toMatchObject([
      { key: 'a/line/index.vtt' },
      { key: 'a/one.jpg' },
      { key: 'a/two/index.jpg' },
    ])
  })
})
