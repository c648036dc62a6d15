import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { campaignTag } from '../../scripts/test/suites.ts'
import { createVideo, untilStatus } from '../support/node/api.ts'
import { ClipServer } from '../support/node/clip-server.ts'
import { canMountImage, failingDisk } from '../support/node/disks/failing-disk.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { freePort } from '../support/node/free-port.ts'
import { RunningService } from '../support/node/service.ts'

describe.skipIf(!canMountImage)('a service whose disk fails', () => {
  const ends = 'ends when it is told to, begins nothing meanwhile, and keeps what it has accepted'
  it(ends, { tags: [campaignTag] }, async () => {
    const disk = failingDisk(200_000_000)
    const place = { port: await freePort(), dataDir: path.join(disk.folder, 'spool') }
    const service = await RunningService.start(place)
    const clips = await ClipServer.start()
    onTestFinished(async () => {
      await service.stop()
      await clips.close()
    })
    const fileUrl = clips.serve('long.mp4', await makeVideo({ seconds: 5, size: '480x270' }))
    const { videoId } = await createVideo(service, { fileUrl, outputFormat: 'webm' })
    disk.fail()
    // Nothing is accepted that could not be kept.
    expect((await service.request('/v1/videos', { json: { fileUrl } })).status).toBeGreaterThan(499)
    expect(await service.stop()).toBe(0)
    await expect(RunningService.start(place)).rejects.toThrow(
      `SPOOL_DATA_DIR=${place.dataDir}: it cannot be written to, because it is mounted read-only`,
    )
    // It can be unmounted only if no process of the service is left.
    expect(disk.repair()).toBe(true)
    const again = await RunningService.start(place)
    onTestFinished(async () => void (await again.stop()))
    await untilStatus(again, videoId, ['succeeded'])
  })
})
