import { describe, expect, it } from 'vitest'
import { saveStorage } from '../../../../worker/command/save-storage.ts'
import { AppError } from '../../../../worker/contract/answers/errors.ts'
import { storageLimits } from '../../../../worker/contract/limits.ts'
import { storagePage, storageRecord } from '../../../../worker/contract/storages/storage.ts'
import type { Env } from '../../../../worker/settings.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { refusal } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { recordLog } from '../../../support/worker/log-lines.ts'
import {
  aStorage,
  placesOf,
  putStorage,
  s3Endpoint,
  standInS3,
  storageOf,
  saying,
} from '../../../support/worker/storages/storages.ts'
import { hang, letTimeRunOut } from '../../../support/worker/webhooks.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { media } = standInForAll()
const s3 = standInS3(media)

const path = '/v1/storages'

describe('PUT /v1/storages/{storageName}', () => {
  it('tries the bucket below the prefix, keeps nothing there, and shows all but the secret', async () => {
    const client = await aClient()
    const lines = recordLog()
    const created = await putStorage(client, 'out', { ...storageOf(s3.current), prefix: 'done/' })
    expect(created.status, created.text).toBe(201)
    const { accessKeyId, region, secretAccessKey } = s3.current.identity
    expect(storageRecord.parse(created.json)).toMatchObject({
      name: 'out',
      endpoint: s3Endpoint,
      bucket: 'my-videos',
      prefix: 'done',
      addressing: 'path',
      ...{ accessKeyId, region },
    })
    const { requests, objects } = s3.current
    expect(requests.map(({ method }) => method)).toEqual(['PUT', 'HEAD', 'GET', 'DELETE'])
    expect(requests.every(({ key }) => key.startsWith('done/.spool-trial-'))).toBe(true)
    expect(objects.size).toBe(0)
    const answers = [created, await client.get(`${path}/out`), await client.get(path)]
    expect(answers[1]?.json).toEqual(created.json)
    expect(storagePage.parse(answers[2]?.json).data).toHaveLength(1)
    for (const { text } of answers) expect(text).not.toContain(secretAccessKey)
    expect(await placesOf(secretAccessKey)).toEqual([])
    expect(await placesOf(btoa(secretAccessKey))).toEqual([])
    expect(lines.texts.join('\n')).not.toContain(secretAccessKey)
  })

  it('encrypts the same secret differently each time', async () => {
    const client = await aClient()
    await aStorage(client, s3.current, 'one')
    await aStorage(client, s3.current, 'two')
    const { results } = await bindings.DB.prepare(
      'SELECT sealed_secret AS sealed FROM storages WHERE account_id = ?',
    )
      .bind(client.accountId)
      .all<{ sealed: string }>()
    const [one, two] = results.map(({ sealed }) => sealed)
    expect(one?.slice(0, 16)).not.toBe(two?.slice(0, 16))
    // A sealed secret that was moved to another row does not open.
    await bindings.DB.prepare('UPDATE storages SET sealed_secret = ? WHERE name = ?')
      .bind(one, 'two')
      .run()
    const rest = { ...storageOf(s3.current), secretAccessKey: undefined }
    expect(refusal(await putStorage(client, 'two', rest))).toMatchObject({
      message: 'secretAccessKey: Required: what is kept cannot be read any more',
    })
  })

  it.each<[string, string, (method: string) => boolean]>([
    ['written (PUT)', 'accessKeyId', (method) => method === 'PUT'],
    ['found (HEAD)', 'accessKeyId', (method) => method === 'HEAD'],
    ['read (GET)', 'accessKeyId', (method) => method === 'GET'],
    ['deleted (DELETE)', 'accessKeyId', (method) => method === 'DELETE'],
  ])('saves nothing if the object could not be %s', async (what, field, isRefused) => {
    const client = await aClient()
    s3.current.interfere = ({ method }) =>
      isRefused(method)
        ? new Response(
            method === 'HEAD'
              ? null
              : '<Error><Code>AccessDenied</Code><Message>No\n&lt;b&gt; way\u202e</Message></Error>',
            { status: 403 },
          )
        : undefined
    const refused = await putStorage(client, 'out', storageOf(s3.current))
    expect(refused.status).toBe(400)
    expect(refused.json['details']).toEqual([
      { field, message: saying(`could not be ${what}: the storage answered 403`) },
    ])
    if (what !== 'found (HEAD)') expect(refused.text).toContain('403, AccessDenied: No <b> way"')
    expect((await client.get(`${path}/out`)).status).toBe(404)
  })

  it.each<[string, object, string, string]>([
    ['another secret', { secretAccessKey: 'wrong' }, 'secretAccessKey', 'SignatureDoesNotMatch'],
    ['another key', { accessKeyId: 'AKIAOTHER' }, 'accessKeyId', 'InvalidAccessKeyId'],
    ['another region', { region: 'us-east-1' }, 'region', 'AuthorizationHeaderMalformed'],
    ['another bucket', { bucket: 'their-videos' }, 'bucket', 'NoSuchBucket'],
  ])('says what is most likely wrong: %s', async (_, change, field, code) => {
    const client = await aClient()
    const refused = await putStorage(client, 'out', { ...storageOf(s3.current), ...change })
    expect(refused.json['details']).toEqual([
      { field, message: saying(`, ${code}: ${code} & so on`) },
    ])
  })

  it.each<[string, object, string, string]>([
    ['a private host', { endpoint: 'https://10.0.0.1' }, 'endpoint', 'private or local'],
    ['http', { endpoint: 'http://s3.example.com' }, 'endpoint', 'Must be an https://'],
    ['a metadata service', { endpoint: 'https://169.254.169.254' }, 'endpoint', 'private'],
    ['a port', { endpoint: 'https://s3.example.com:22' }, 'endpoint', 'Must use port'],
    ['the service', { endpoint: bindings.BASE_URL }, 'endpoint', 'Must not'],
    ['a user', { endpoint: 'https://a:b@s3.example.com' }, 'endpoint', 'user name or password'],
    ['a query', { endpoint: 'https://s3.example.com/?a=b' }, 'endpoint', 'Must not have a ?'],
    ['a bucket', { bucket: 'a/b' }, 'bucket', 'Must be the name of a bucket'],
    ['steps', { prefix: '../other' }, 'prefix', 'Must not have . or ..'],
    ['a host', { addressing: 'host', bucket: 'My_Bucket' }, 'bucket', 'lower-case'],
    ['a number', { addressing: 'host', endpoint: 'https://1.1.1.1' }, 'bucket', 'Cannot stand'],
    ['an old name', { pathStyle: true }, 'pathStyle', 'did you mean addressing'],
    ['a line', { accessKeyId: 'a\nb' }, 'accessKeyId', 'Must be the id of an access key'],
  ])('refuses %s before anything is asked', async (_, change, field, message) => {
    const client = await aClient()
    const refused = await putStorage(client, 'out', { ...storageOf(s3.current), ...change })
    expect(refused.status).toBe(400)
    expect(refused.json['details']).toContainEqual({
      field,
      message: saying(message),
    })
    expect(s3.current.requests).toEqual([])
  })

  it('asks the host of the bucket if it stands before the endpoint', async () => {
    const client = await aClient()
    const asked: string[] = []
    media.current.answerElsewhere = ({ url }) => {
      asked.push(new URL(url).host)
      return new Response(null, { status: 500 })
    }
    await putStorage(client, 'out', { ...storageOf(s3.current), addressing: 'host' })
    expect(new Set(asked)).toEqual(new Set(['my-videos.s3.example.com']))
  })

  it('follows no redirect, and waits for no answer for long', async () => {
    const client = await aClient()
    s3.current.interfere = () => Response.redirect('https://elsewhere.example.com', 307)
    const sent = await putStorage(client, 'out', storageOf(s3.current))
    expect(sent.json['message']).toContain('answered 307, which sends to another address')
    media.current.answerElsewhere = hang
    letTimeRunOut()
    const silent = await putStorage(client, 'out', storageOf(s3.current))
    expect(silent.json['message']).toContain('no answer came within 10 seconds')
  })

  it('reads no more of an answer than it needs', async () => {
    const client = await aClient()
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    s3.current.interfere = () => new Response(endless, { status: 403 })
    const refused = await putStorage(client, 'out', storageOf(s3.current))
    expect(refused.json['message']).toContain('the storage answered 403')
    expect(sent).toBeLessThan(1_000_000)
  })

  it('keeps the secret of the same key, and asks for it when it would go elsewhere', async () => {
    const client = await aClient()
    await aStorage(client, s3.current)
    const rest = { ...storageOf(s3.current), secretAccessKey: undefined }
    advanceSeconds(5)
    const moved = await putStorage(client, 'out', { ...rest, prefix: 'later' })
    expect(moved.status, moved.text).toBe(200)
    expect(moved.json).toMatchObject({ prefix: 'later' })
    expect(moved.json['lastUpdatedAt']).not.toBe(moved.json['createdAt'])
    const before = s3.current.requests.length
    for (const change of [
      { endpoint: 'https://evil.example.com' },
      { endpoint: 'https://s3.example.com:8443' },
      { addressing: 'host' },
      { accessKeyId: 'AKIAOTHER' },
    ]) {
      expect(refusal(await putStorage(client, 'out', { ...rest, ...change }))).toMatchObject({
        status: 400,
        message: 'secretAccessKey: Required: the endpoint or the access key is another one',
      })
    }
    expect(s3.current.requests.length).toBe(before)
    expect(refusal(await putStorage(client, 'new', rest))).toMatchObject({
      message: 'secretAccessKey: Required: the secret of the access key',
    })
  })

  it('tells nothing of what listens on a private host that only the operator has allowed', async () => {
    const { accountId } = await aClient()
    const env = { ...bindings, ALLOW_PRIVATE_HOSTS: 'localhost' } as unknown as Env
    const body = { ...storageOf(s3.current), endpoint: 'http://localhost:9000' }
    const answers = [
      () => new Response('<Error><Code>NoSuchBucket</Code></Error>', { status: 404 }),
      () => new Response(null, { status: 200 }),
      () => {
        throw new Error('Connection refused')
      },
    ]
    const told: string[] = []
    for (const answer of answers) {
      media.current.answerElsewhere = answer
      const saved = saveStorage(env, { accountId, name: 'out', body, now: Date.now() })
      const end = await saved.catch((error: unknown) => error)
      told.push(end instanceof AppError ? JSON.stringify(end.details) : 'saved')
    }
    expect(new Set(told).size).toBe(1)
    expect(told[0]).toContain('is a private host, so no details are given')
  })

  it('has a limit for each account', async () => {
    const client = await aClient()
    await aStorage(client, s3.current, 'first')
    await bindings.DB.prepare(
      `INSERT INTO storages SELECT account_id, 's' || n.value, endpoint, region, bucket, prefix, addressing,
         access_key_id, sealed_secret, created_at, updated_at
       FROM storages, json_each(?) AS n WHERE account_id = ?`,
    )
      .bind(
        JSON.stringify(Array.from({ length: storageLimits.perAccount - 1 }, (_, i) => i)),
        client.accountId,
      )
      .run()
    expect(refusal(await putStorage(client, 'more', storageOf(s3.current)))).toEqual({
      status: 409,
      error: 'Conflict',
      message: 'The account has 20 storages already; delete one first.',
    })
    advanceSeconds(5)
    expect((await putStorage(client, 'first', storageOf(s3.current))).status).toBe(200)
  })
})

describe('storages', () => {
  it('are those of one account', async () => {
    const [client, other] = [await aClient(), await aClient()]
    await aStorage(client, s3.current)
    expect((await other.get(`${path}/out`)).status).toBe(404)
    expect((await other.delete(`${path}/out`)).status).toBe(404)
    expect(storagePage.parse((await other.get(path)).json).data).toEqual([])
  })

  it('are deleted once', async () => {
    const client = await aClient()
    await aStorage(client, s3.current)
    expect((await client.delete(`${path}/out`)).status).toBe(204)
    expect((await client.delete(`${path}/out`)).status).toBe(404)
  })
})
