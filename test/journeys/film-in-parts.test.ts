import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVideo, ended, jsonOf, untilStatus } from '../support/node/api.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { aPlace, removePlace, RunningService, type Place } from '../support/node/service.ts'
import { clipsForAll } from '../support/node/shared-service.ts'

const clips = clipsForAll()
let place: Place
let service: RunningService
let film: string

beforeAll(async () => {
  const made = { seconds: 100, size: '480x270', fps: 30 }
  film = clips.serve('film.mp4', await makeVideo(made))
  place = await aPlace()
  const two = { MEDIA_WORKERS: '2', MEDIA_SLOTS: '1', FFMPEG_THREADS: '1' }
  service = await RunningService.start(place, two)
})

afterAll(async () => {
  await service.stop()
  await removePlace(place)
})

type Part = { n: number; state: string; pictures: number }

describe('a long film on a service with two media workers', { tags: 'campaign' }, () => {
  it('is rendered by both, and its job says which parts the second one has rendered', async () => {
    const request = { fileUrl: film, aspectRatio: '9:16', resizeMode: 'contain' }
    const { videoId, jobId } = await createVideo(service, request)
    const record = await untilStatus(service, videoId, ended, 900_000)
    expect(record).toMatchObject({ status: 'succeeded', videoMetadata: { duration: 100, fps: 30 } })
    const job = await jsonOf(await service.request(`/v1/jobs/${jobId}`))
    const [attempt] = job['attempts'] as { parts: Part[]; plan: unknown }[]
    const stored = attempt?.parts.filter(({ state }) => state === 'stored') ?? []
    expect(stored.length, JSON.stringify(attempt?.plan).slice(0, 2000)).toBeGreaterThan(0)
    expect(stored.every(({ pictures }) => pictures > 0)).toBe(true)
    expect(service.output.join('\n')).not.toContain('Joining a film from parts failed')
  })
})
