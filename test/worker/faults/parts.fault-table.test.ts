import { beforeEach, describe, expect, it, vi } from 'vitest'
import { campaignAfter } from '../../support/node/campaign.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import { faultsAt } from './fault-points.ts'
import { FilmInParts } from './film-in-parts.ts'
import { watchEverything } from './watch-everything.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()
beforeEach(() => {
  // Each run asks media workers in the same order.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

/** What comes for the third time has mostly failed in each way already: for another part, or in another attempt. */
const faultsHere = (point: string) =>
  faultsAt(point, /#([3-9]|\d\d)$/.test(point) ? 'worst' : 'all')

describe('whatever step fails while a film is rendered in parts', () => {
  for (const { cancels, ending, parts } of [
    { cancels: false, ending: 'the film succeeds', parts: 10 },
    { cancels: true, ending: 'it is canceled', parts: 5 },
  ]) {
    for (let part = 0; part < parts; part++) {
      const name = `${ending}, and nothing of its parts is left: part ${part + 1} of ${parts}`
      it(name, { tags: campaignAfter(1, part) }, async () => {
        recordLog()
        const points = await watchEverything(queue.current, media.current)
        const client = await aClient()
        const standIns = { points, queue: queue.current, media: media.current }
        const whole = new FilmInParts(standIns, { cancels })
        expect(await whole.run(client)).toEqual([])
        const broken: string[] = []
        // Until it is canceled, the same fails as in the film that succeeds.
        const from = cancels ? whole.met.indexOf('says: cancel') : 0
        const faults = whole.met.slice(from).flatMap(faultsHere)
        expect(faults.length).toBeGreaterThan(parts)
        for (const fault of faults.filter((_, i) => i % parts === part)) {
          const found = await new FilmInParts(standIns, { cancels }).run(client, fault)
          broken.push(...found.map((what) => `${fault.mishap} ${fault.point}: ${what}`))
        }
        expect(broken).toEqual([])
      })
    }
  }
})
