import type { Account } from '../actors/account.ts'
import type { Exchange } from '../actors/exchange.ts'
import type { Operator } from '../actors/operator.ts'
import type { World } from '../engine/world.ts'
import type { Deployment } from '../platform/deployment.ts'

type Asking = {
  world: World
  exchange: Exchange
  operator: Operator
  deployment: Deployment
  accounts: readonly Account[]
}

const body = { fileUrl: 'https://sources.example.com/key.mp4' }

/** A key may do what its scopes allow until it is revoked, and nothing afterwards, whatever objects remember. */
export async function judgeKeys(asking: Asking): Promise<void> {
  const { accounts, deployment, exchange, operator, world } = asking
  const accountId = accounts[0]?.accountId
  const made = await operator.command({
    command: 'keys.create',
    accountId,
    scopes: ['videos:read'],
  })
  const key = String(made['apiKey'])
  const expect = async (status: number, method: string): Promise<void> => {
    const sent = method === 'POST' ? { body } : {}
    const answer = await exchange.ask({ who: 'a reader', method, path: '/v1/videos', key, ...sent })
    if (answer?.status === status) return
    world.break(`${method} with a key was answered ${answer?.status ?? 'nothing'}, not ${status}`)
  }
  await expect(200, 'GET')
  await expect(403, 'POST')
  await operator.command({ command: 'keys.revoke', keyId: made['keyId'] })
  await expect(401, 'GET')
  deployment.rollOut()
  await expect(401, 'GET')
}
