import { describe, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { stopTheClock } from '../../support/worker/clock.ts'
import { Documented } from './documented.ts'
import { checkKeyFailures } from './key-failures.ts'

stopTheClock()

const path = '/v1/usage'

describe('usage', () => {
  it('is answered as documented', async () => {
    const read = new Documented('get', path)
    const client = await aClient()
    read.check(200, await client.get(path))
    read.check(400, await client.get(`${path}?from=2020-01-01`))
    await checkKeyFailures(read, 'videos:read', path)
    read.expectComplete()
  })
})
