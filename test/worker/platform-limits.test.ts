import { afterEach, describe, expect, it } from 'vitest'
import { aClient } from '../support/worker/accounts.ts'
import { standInQueue } from '../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../support/worker/media-workers.ts'
import { platformLimits, takeBroken } from '../support/worker/platform/platform-limits.ts'
import { aVideo } from '../support/worker/videos.ts'

standInMediaWorkers()
const queue = standInQueue()
const published = { ...platformLimits }
afterEach(() => Object.assign(platformLimits, published))

/** Every test of the Worker holds these limits. Lowered, each of them has to be noticed where the service meets it. */
describe('a limit of the platform', () => {
  it.each([
    ['statements', 'fetch'],
    ['subrequests', 'fetch'],
    ['parameters', 'fetch'],
    ['statementBytes', 'fetch'],
    ['messageBytes', 'fetch'],
  ] as const)('is noticed when a request breaks it: %s', async (limit, event) => {
    const client = await aClient()
    takeBroken()
    platformLimits[limit] = 1
    await client.post('/v1/videos', { fileUrl: 'https://media.example.com/a.mp4' })
    expect(takeBroken()).toContainEqual(
      expect.stringMatching(new RegExp(`^${event}: ${limit} \\d+, of at most 1$`)),
    )
  })

  it('is counted for each call of an object by itself', async () => {
    const { jobId } = await aVideo()
    platformLimits.subrequests = 1
    await queue.current.deliverNext(jobId)
    const broken = takeBroken()
    expect(broken.filter((text) => text.startsWith('JobRunner.'))).not.toEqual([])
    expect(broken.filter((text) => text.startsWith('queue: '))).toEqual([])
  })

  it('holds for what an object keeps', async () => {
    const { jobId } = await aVideo()
    platformLimits.storedBytes = 1
    await queue.current.deliverNext(jobId)
    expect(takeBroken()).toContainEqual(
      expect.stringMatching(/^JobRunner\.\w+: storedBytes \d+, of at most 1$/),
    )
  })
})
