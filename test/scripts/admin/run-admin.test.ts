import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAdmin } from '../../../scripts/admin/run-admin.ts'
import { writeJson } from '../../../scripts/machine/write-file.ts'
import { ensureSecrets } from '../../../scripts/start/data/secrets.ts'
import {
  aDelivery,
  aKey,
  adminSecret,
  adminStub,
  anAccount,
  createdAt,
} from '../../support/scripts/admin-stub.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

const deployed = { SPOOL_ADMIN_SECRET: adminSecret }

describe('runAdmin', () => {
  it('prints the answer as JSON, exactly as the service gave it', async () => {
    const account = { ...anAccount(), webhookSecret: 'whsec_1' }
    const stub = await adminStub(() => ({ body: account }))
    const line = ['accounts', 'create', '--name', 'A', '--json', '--url', stub.baseUrl]
    expect(JSON.parse(await runAdmin(line, deployed))).toEqual(account)
    expect(stub.requests).toEqual([{ command: 'accounts.create', name: 'A' }])
  })

  it('shows a new key, and that it is shown once', async () => {
    const stub = await adminStub(() => ({ body: { apiKey: 'spool_x', ...aKey() } }))
    const line = ['keys', 'create', '--account', 'a_1', '--url', stub.baseUrl]
    const text = await runAdmin(line, deployed)
    expect(text).toContain('API key  spool_x')
    expect(text).toContain('not shown again')
  })

  it('shows lists as tables, and says when they are empty', async () => {
    const revoked = { ...aKey('k_22'), hint: 'spool_…abcd', revokedAt: createdAt }
    const stub = await adminStub(({ command }) => ({
      body: command === 'keys.list' ? { keys: [revoked] } : { jobs: [] },
    }))
    const keys = await runAdmin(['keys', 'list', '--url', stub.baseUrl], deployed)
    const [headings = '', row = ''] = keys.split('\n')
    expect(row.indexOf('spool_…abcd')).toBe(headings.indexOf('KEY', headings.indexOf('ACCOUNT')))
    expect(await runAdmin(['jobs', 'list', '--url', stub.baseUrl], deployed)).toBe('(none)\n')
  })

  it('lists deliveries with the result of their last attempt', async () => {
    const stub = await adminStub(() => ({ body: { deliveries: [aDelivery()] } }))
    const line = ['webhooks', 'list', '--account', 'a_1', '--status', 'exhausted', '--limit', '5']
    const text = await runAdmin([...line, '--url', stub.baseUrl], deployed)
    expect(text.split('\n').map((row) => row.split(/ {2,}/))).toEqual([
      ['DELIVERY', 'VIDEO', 'ACCOUNT', 'TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'URL', 'CREATED'],
      [
        ...['dlv_0000000000000001', 'v_12345678', 'a_1', 'video.failed', 'exhausted', '2'],
        ...['Answered 503; only 2xx means received', 'https://hooks.example.com/', createdAt],
      ],
      [''],
    ])
    const asked = { command: 'webhooks.list', accountId: 'a_1', status: 'exhausted', limit: 5 }
    expect(stub.requests).toEqual([asked])
  })

  it('says where a webhook goes again', async () => {
    const stub = await adminStub(() => ({ body: aDelivery() }))
    const { deliveryId } = aDelivery()
    const line = ['webhooks', 'replay', deliveryId, '--url', stub.baseUrl]
    expect(await runAdmin(line, deployed)).toBe(
      `${deliveryId} (msg_1) is on its way to https://hooks.example.com/ again.\n`,
    )
    expect(stub.requests).toEqual([{ command: 'webhooks.replay', deliveryId }])
  })

  it.each(['show-secret', 'rotate-secret'])('shows both secrets after %s', async (name) => {
    const previous = { previousSecret: 'whsec_1', previousExpiresAt: createdAt }
    const body = { accountId: 'a_1', secret: 'whsec_2', ...previous }
    const stub = await adminStub(() => ({ body }))
    const line = ['webhooks', name, '--account', 'a_1', '--url', stub.baseUrl]
    expect((await runAdmin(line, deployed)).split('\n').slice(1, 3)).toEqual([
      'Webhook secret  whsec_2',
      'Previous        whsec_1',
    ])
    expect(stub.requests).toEqual([{ command: `webhooks.${name}`, accountId: 'a_1' }])
  })

  it('shows the message of a refusal, with its details', async () => {
    const details = [{ field: 'accountId', message: 'There is no such account' }]
    const stub = await adminStub(() => ({
      status: 404,
      body: { error: 'NotFound', message: 'There is no account a_1.', details },
    }))
    const refused = runAdmin(['keys', 'list', '--url', stub.baseUrl], deployed)
    await expect(refused).rejects.toMatchObject({
      exitCode: 1,
      message: 'NotFound: There is no account a_1.\n  accountId: There is no such account',
    })
  })

  it('is refused with another secret', async () => {
    const stub = await adminStub(() => ({ body: { keys: [] } }))
    const refused = runAdmin(['keys', 'list', '--url', stub.baseUrl], {
      SPOOL_ADMIN_SECRET: 'b'.repeat(43),
    })
    await expect(refused).rejects.toThrow('Unauthorized: Bad signature')
  })

  it('does not pass on an answer it does not understand', async () => {
    const stub = await adminStub(() => ({ body: { something: 'else' } }))
    const refused = runAdmin(['keys', 'list', '--url', stub.baseUrl, '--json'], deployed)
    await expect(refused).rejects.toThrow('an answer that this version does not know')
  })

  it.each([
    [{}, 'https://a.example', 'SPOOL_ADMIN_SECRET'],
    [deployed, 'http://a.example', 'must be an https address'],
    [deployed, 'a.example', 'must be an https address'],
  ])('refuses %j with --url %s', async (env, url, message) => {
    const refused = runAdmin(['keys', 'list', '--url', url], env)
    await expect(refused).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message) as string,
    })
  })

  it('finds the service of this machine by its data directory', async () => {
    const stub = await adminStub(() => ({ body: { accounts: [anAccount()] } }))
    const base = temporaryDirectory()
    const none = runAdmin(['accounts', 'list'], { SPOOL_DATA_DIR: base })
    await expect(none).rejects.toThrow(`No service runs on ${base}`)
    const dev = {
      baseUrl: stub.baseUrl,
      apiKey: 'spool_x',
      dashboardUrl: null,
      webhookSecret: 'whsec_1',
      pid: 1,
      workerPid: 2,
      mediaWorkers: [],
    }
    writeJson(path.join(base, 'dev.json'), dev, 0o600)
    const secrets = path.join(base, 'secrets.json')
    writeJson(secrets, { ...ensureSecrets(secrets), adminSecret }, 0o600)
    expect(await runAdmin(['accounts', 'list'], { SPOOL_DATA_DIR: base })).toContain('a_1')
  })
})
