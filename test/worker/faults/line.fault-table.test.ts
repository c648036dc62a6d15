import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { campaignAfter } from '../../support/node/campaign.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import { faultsAt } from './fault-points.ts'
import { keepHistory } from './found-run.ts'
import { TwoJobs } from './two-jobs.ts'
import { watchEverything } from './watch-everything.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { media, queue } = standInForAll()
beforeAll(keepHistory)
beforeEach(() => {
  // Each run asks media workers in the same order.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

const parts = 8

describe('whatever step fails while one job works and another stands in line', () => {
  for (let part = 0; part < parts; part++) {
    const name = `both run once, the second has its turn, and the slot is left: part ${part + 1} of ${parts}`
    it(name, { tags: campaignAfter(1, part) }, async () => {
      recordLog()
      const points = await watchEverything(queue.current, media.current)
      const clients = [await aClient(), await aClient()] as const
      const standIns = { points, queue: queue.current, media: media.current }
      const whole = new TwoJobs(standIns)
      expect(await whole.run(clients)).toEqual([])
      expect(whole.met.length).toBeGreaterThan(20)
      const broken: string[] = []
      const faults = whole.met.flatMap((point) => faultsAt(point, 'all'))
      for (const fault of faults.filter((_, i) => i % parts === part)) {
        const found = await new TwoJobs(standIns).run(clients, fault)
        broken.push(...found.map((what) => `${fault.mishap} ${fault.point}: ${what}`))
      }
      expect(broken).toEqual([])
    })
  }
})
