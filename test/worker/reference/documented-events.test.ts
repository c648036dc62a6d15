import { describe, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { aFinishedVideo } from '../../support/worker/videos.ts'
import { Documented } from './documented.ts'
import { checkKeyFailures } from './key-failures.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const standIns = standInForAll()

describe('GET /v1/videos/{videoId}/events', () => {
  it('answers as documented', async () => {
    const documented = new Documented('get', '/v1/videos/{videoId}/events')
    const client = await aClient()
    const { videoId } = await aFinishedVideo(standIns, client)
    const path = `/v1/videos/${videoId}/events`
    documented.check(200, await client.get(path))
    documented.check(204, await client.get(path, { 'Last-Event-ID': `${videoId}.end` }))
    documented.check(404, await client.get('/v1/videos/v_00000000/events'))
    await checkKeyFailures(documented, 'videos:read', path)
    documented.expectComplete()
  })
})
