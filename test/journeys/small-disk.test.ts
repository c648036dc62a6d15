import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { campaignTag } from '../../scripts/test/suites.ts'
import { createVideo, jsonOf, readVideo, untilStatus } from '../support/node/api.ts'
import { ClipServer } from '../support/node/clip-server.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { freePort } from '../support/node/free-port.ts'
import { aLargeClip } from '../support/node/large-clip.ts'
import { poll } from '../support/node/poll.ts'
import { RunningService } from '../support/node/service.ts'
import { canMount, smallDisk } from '../support/node/disks/small-disk.ts'
import { uploadForm } from '../support/node/upload-form.ts'

const megabyte = 1_000_000

/** The whole service on a disk of 140 MB, of which it keeps 32 MB free. */
async function onSmallDisk() {
  const disk = smallDisk(140 * megabyte)
  const place = { port: await freePort(), dataDir: path.join(disk.folder, 'spool') }
  const service = await RunningService.start(place, { RATE_LIMITS: '100000/60' })
  const clips = await ClipServer.start()
  onTestFinished(async () => {
    await service.stop()
    await clips.close()
  })
  return { disk, service, clips }
}

async function isHealthy(service: RunningService): Promise<true | undefined> {
  const { status } = await service.request('/health').catch(() => ({ status: 0 }))
  return status === 200 ? true : undefined
}

/** Every database that the runtime has written, as SQLite judges it. */
function judgeDatabases(dataDir: string): string[] {
  const names = readdirSync(path.join(dataDir, 'state'), { recursive: true, encoding: 'utf8' })
  const found = names.filter((name) => name.endsWith('.sqlite'))
  expect(found.length).toBeGreaterThan(5)
  return found.flatMap((name) => {
    const database = new DatabaseSync(path.join(dataDir, 'state', name))
    const rows = database.prepare('PRAGMA integrity_check').all()
    database.close()
    return rows.map((row) => String(row['integrity_check']))
  })
}

describe.skipIf(!canMount)('a service on a small disk', () => {
  it('refuses the uploads that do not fit, finishes those that do, and takes new ones when there is room', async () => {
    const { disk, service } = await onSmallDisk()
    const clip = await aLargeClip()
    const give = disk.fillExcept(32 * megabyte + 2.5 * clip.length)
    expect((await uploadForm(service, clip, {}))?.status).toBe(202)
    const answers = await Promise.all([1, 2, 3, 4].map(async () => uploadForm(service, clip, {})))
    const refused = answers.filter((answer) => answer?.status !== 202)
    expect(refused.map((answer) => answer?.status)).toContain(507)
    for (const answer of refused) {
      if (answer) expect(await jsonOf(answer)).toMatchObject({ error: 'InsufficientStorage' })
    }
    give()
    const later = await poll('an upload to be accepted', async () => {
      const answer = await uploadForm(service, clip, {})
      return answer?.status === 202 ? answer : undefined
    })
    const { videoId } = await jsonOf(later)
    await untilStatus(service, String(videoId), ['succeeded'])
  })

  it('ends with one sentence when the disk fills up while it starts', async () => {
    const disk = smallDisk(40 * megabyte)
    const place = { port: await freePort(), dataDir: path.join(disk.folder, 'spool') }
    const onLine = (line: string) => {
      if (line.startsWith('Starting Spool')) disk.fillExcept(0.2 * megabyte)
    }
    await expect(RunningService.start(place, {}, { onLine })).rejects.toThrow(
      `\nThe disk of ${place.dataDir} is full: it has 0 MB left, and a start needs 8 MB. Make room and start again.`,
    )
  })

  const survives =
    'survives a disk without a single free byte in the middle of a job, and goes on by itself'
  it(survives, { tags: [campaignTag] }, async () => {
    const { disk, service, clips } = await onSmallDisk()
    const long = await makeVideo({ seconds: 5, size: '480x270' })
    const fileUrl = clips.serve('long.mp4', long)
    const { videoId } = await createVideo(service, { fileUrl, outputFormat: 'webm' })
    const next = await createVideo(service, { fileUrl })
    await poll('the rendering to begin', async () => {
      const { progressPercent } = await readVideo(service, videoId)
      return Number(progressPercent) > 20 ? true : undefined
    })
    const give = disk.fillExcept(0)
    // Each of these writes a line of a log, and most of them rows.
    for (let asked = 0; asked < 50; asked++) {
      const answer = await service.request('/v1/videos', { json: { fileUrl } })
      expect(answer.status).toBe(507)
      expect(await jsonOf(answer)).toMatchObject({ error: 'InsufficientStorage' })
    }
    const upload = await uploadForm(service, await aLargeClip(), {})
    expect([507, undefined]).toContain(upload?.status)
    await poll('the operator to be told', async () =>
      service.output.join('\n').includes('MB left') ? true : undefined,
    )
    give()
    await poll('the service to be healthy again', async () => isHealthy(service))
    const { pid } = await service.refreshDevFile()
    expect(existsSync(`/proc/${pid}`)).toBe(true)
    await untilStatus(service, videoId, ['succeeded'])
    await untilStatus(service, next.videoId, ['succeeded'])
    expect(service.output.join('\n')).toContain('has room again')
    await service.stop()
    expect(new Set(judgeDatabases(service.place.dataDir))).toEqual(new Set(['ok']))
  })
})
