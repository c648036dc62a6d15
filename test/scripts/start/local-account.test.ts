import { statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensureLocalAccount } from '../../../scripts/start/local-account.ts'
import type { AdminRequest } from '../../../worker/contract/people/admin.ts'
import { aKey, adminStub, anAccount, createdAt } from '../../support/scripts/admin-stub.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

/** Accounts and keys that behave like the service's. */
async function aService() {
  const state = {
    secret: 'whsec_1',
    accounts: [] as ReturnType<typeof anAccount>[],
    keys: [] as (ReturnType<typeof aKey> & { hint: string; revokedAt: string | null })[],
  }
  const answer = (request: AdminRequest) => {
    if (request.command === 'accounts.create') {
      state.accounts.push(anAccount(`a_${state.accounts.length + 1}`))
      return { body: { ...state.accounts.at(-1), webhookSecret: 'whsec_1' } }
    }
    if (request.command === 'keys.create') {
      const key = aKey(`k_${state.keys.length + 1}`, request.accountId)
      state.keys.push({ ...key, hint: '…', revokedAt: null })
      return { body: { apiKey: `spool_${state.keys.length}`, ...key } }
    }
    if (request.command === 'webhooks.show-secret') {
      const { accountId } = request
      const none = { previousSecret: null, previousExpiresAt: null }
      return { body: { accountId, secret: state.secret, ...none } }
    }
    return { body: request.command === 'keys.list' ? { keys: state.keys } : state }
  }
  const stub = await adminStub(answer)
  const file = path.join(temporaryDirectory(), 'local-account.json')
  return { state, stub, file, ensure: () => ensureLocalAccount(stub, file) }
}

describe('ensureLocalAccount', () => {
  it('makes an account and a key that only this user can read', async () => {
    const { ensure, file } = await aService()
    expect(await ensure()).toEqual({
      accountId: 'a_1',
      webhookSecret: 'whsec_1',
      keyId: 'k_1',
      apiKey: 'spool_1',
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('keeps both over a restart', async () => {
    const { ensure, stub } = await aService()
    const first = await ensure()
    expect(await ensure()).toEqual(first)
    expect(stub.requests.filter(({ command }) => command.endsWith('.create'))).toHaveLength(2)
  })

  it('returns the current secret, if it was rotated meanwhile', async () => {
    const { ensure, state } = await aService()
    await ensure()
    state.secret = 'whsec_2'
    expect(await ensure()).toMatchObject({ accountId: 'a_1', webhookSecret: 'whsec_2' })
  })

  it('makes another key for the same account if the stored one was revoked', async () => {
    const { ensure, state } = await aService()
    await ensure()
    for (const key of state.keys) key.revokedAt = createdAt
    expect(await ensure()).toMatchObject({ accountId: 'a_1', keyId: 'k_2', apiKey: 'spool_2' })
  })

  it('makes both again if the database is another one', async () => {
    const { ensure, state } = await aService()
    await ensure()
    state.accounts = []
    state.keys = []
    expect(await ensure()).toMatchObject({ accountId: 'a_1', keyId: 'k_1' })
    expect(state.accounts).toHaveLength(1)
  })
})
