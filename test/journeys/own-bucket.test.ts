import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createVideo, ended, readVideo, untilStatus, type Json } from '../support/node/api.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { poll } from '../support/node/poll.ts'
import { S3Server } from '../support/node/s3-server.ts'
import type { RunningService } from '../support/node/service.ts'
import { sharedService } from '../support/node/shared-service.ts'

let bucket: S3Server
let service: RunningService

beforeAll(async () => {
  bucket = await S3Server.start()
  service = await sharedService()
  const bytes = Uint8Array.from(await readFile(await makeVideo({ seconds: 2, size: '320x180' })))
  bucket.s3.objects.set('raw/My talk.mp4', { bytes, etag: '"e"', contentType: 'video/mp4' })
})

afterAll(async () => {
  await bucket.close()
})

async function save(name: string, prefix: string): Promise<Response> {
  const { identity, bucket: own } = bucket.s3
  const json = { endpoint: bucket.origin, bucket: own, prefix, ...identity }
  return service.request(`/v1/storages/${name}`, { method: 'PUT', json })
}

async function untilDelivered(videoId: string): Promise<Json> {
  return poll(`${videoId} to be delivered`, async () => {
    const record = await readVideo(service, videoId)
    const states = (record['destinations'] as { state: string }[]).map(({ state }) => state)
    return states.includes('pending') ? undefined : record
  })
}

it('a bucket of the customer gives a film, and gets what is made of it', async () => {
  expect((await save('raw', 'raw')).status).toBe(201)
  expect((await save('done', 'done')).status).toBe(201)
  const { videoId } = await createVideo(service, {
    fileUrl: 'storage://raw/My%20talk.mp4',
    outputs: [{ name: 'film' }, { name: 'sound', outputFormat: 'mp3' }],
    destinations: [{ storage: 'done', key: '{videoName}/{name}.{extension}', keep: false }],
  })
  const made = await untilStatus(service, videoId, ended)
  expect(made['status'], JSON.stringify(made)).toBe('succeeded')
  const record = await untilDelivered(videoId)
  expect(record).toMatchObject({
    fileUrl: 'storage://raw/My%20talk.mp4',
    destinations: [
      { storage: 'done', key: 'My talk/film.mp4', output: 'film', state: 'delivered' },
      { storage: 'done', key: 'My talk/sound.mp3', output: 'sound', state: 'delivered' },
    ],
  })
  expect(record['finalVideoUrl']).toBeUndefined()
  expect(JSON.stringify(record)).not.toContain('X-Amz')
  const film = bucket.s3.objects.get('done/My talk/film.mp4')
  expect(new TextDecoder().decode(film?.bytes.slice(4, 8))).toBe('ftyp')
  expect(film?.contentType).toBe('video/mp4')
  expect(bucket.s3.objects.get('done/My talk/sound.mp3')?.bytes.length).toBeGreaterThan(1000)
})
