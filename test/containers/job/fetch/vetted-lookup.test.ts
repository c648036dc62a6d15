import type { LookupAddress, LookupOptions } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { vettedLookup, type LookupGuard } from '../../../../containers/job/fetch/vetted-lookup.ts'
import { ownService } from '../../../support/containers/own-service.ts'

const publicAddress = { address: '93.184.215.14', family: 4 }
const ownAddress = { address: '127.0.0.1', family: 4 }

type Answers = readonly (readonly LookupAddress[])[]
type Given = { answers: Answers; options?: LookupOptions; guard?: Partial<LookupGuard> }

/** Returns the addresses that a socket would connect to; it opens no connection. */
async function lookUp({ answers, options = { all: true }, guard }: Given) {
  let asked = 0
  const lookup = vettedLookup(new URL('http://video.example/'), {
    origin: 'customer',
    allowedHosts: new Set(),
    own: ownService('https://api.spool.example'),
    resolve: async () => answers[asked++] ?? [],
    ...guard,
  })
  const dialled = await new Promise((resolve, reject) =>
    lookup('video.example', options, (error, address) =>
      error ? reject(error) : resolve(address),
    ),
  )
  return { dialled, asked }
}

describe('vettedLookup', () => {
  it('returns what it has checked, and resolves only once', async () => {
    const answers = [[publicAddress], [ownAddress]]
    expect(await lookUp({ answers })).toEqual({ dialled: [publicAddress], asked: 1 })
    const one = await lookUp({ answers, options: { all: false } })
    expect(one).toEqual({ dialled: publicAddress.address, asked: 1 })
  })

  it('lets exempt names and our own storage resolve anywhere', async () => {
    const answers = [[ownAddress]]
    const exempt = { allowedHosts: new Set(['video.example']) }
    expect((await lookUp({ answers, guard: exempt })).dialled).toEqual([ownAddress])
    expect((await lookUp({ answers, guard: { origin: 'storage' } })).dialled).toEqual([ownAddress])
  })
})
