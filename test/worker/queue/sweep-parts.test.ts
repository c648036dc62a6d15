import { expect, it } from 'vitest'
import { sweepParts } from '../../../worker/queue/sweep-parts.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { partKeys } from '../../support/worker/film.ts'
import { aFinishedVideo, aRunningVideo } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

/** A moment at which the sweep looks, and the minute after it. */
const due = 600_000
const notDue = 660_000

it('sweepParts removes what films have left whose jobs have ended or are gone, and nothing else', async () => {
  const client = await aClient()
  const running = await aRunningVideo(client)
  const over = await aFinishedVideo(client)
  const kept = `parts/${running.jobId}/1/0-1`
  for (const key of [kept, `parts/${over.jobId}/1/0-1`, 'parts/j_gone/2/in0']) {
    await bindings.BUCKET.put(key, 'text')
  }
  await sweepParts(bindings, notDue)
  expect(await partKeys()).toHaveLength(3)
  await sweepParts(bindings, due)
  expect(await partKeys()).toEqual([kept])
})
