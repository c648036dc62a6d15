import { expect, it } from 'vitest'
import { recordStatements } from '../../support/worker/platform/statements.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { aRunningVideo } from '../../support/worker/videos.ts'

standInForAll()

it('a job writes no more to the database if its media worker alternates between phases', async () => {
  const { attempt } = await aRunningVideo()
  const log = recordStatements()
  for (let step = 0; step < 60; step++) {
    await attempt.progress(step, step % 2 === 0 ? 'measuring' : 'rendering')
  }
  expect(log.calls).toBe(2)
})
