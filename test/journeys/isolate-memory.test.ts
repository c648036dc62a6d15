import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonOf } from '../support/node/api.ts'
import { IsolateMemory } from '../support/node/isolate-memory.ts'
import { aPlace, removePlace, RunningService, type Place } from '../support/node/service.ts'
import { uploadForm } from '../support/node/upload-form.ts'

/** What the platform gives an isolate, which serves many requests at once. */
const isolateBytes = 128_000_000

let place: Place
let service: RunningService
let memory: IsolateMemory

beforeAll(async () => {
  place = await aPlace()
  const environment = {
    RATE_LIMITS: '100000/60',
    MEDIA_WORKERS: '0',
    MEDIA_WORKER_URLS: 'http://127.0.0.1:9',
  }
  service = await RunningService.start(place, environment, { script: 'scripts/dev.ts' })
  const [, address = ''] = /Debugger\s+(\S+)/.exec(service.output.join('\n')) ?? []
  memory = await IsolateMemory.open(address)
})

afterAll(async () => {
  await service.stop()
  await removePlace(place)
})

async function accepted(response: Response | undefined): Promise<void> {
  expect(response?.status, await response?.text()).toBeLessThan(300)
}

describe('the isolate of the Worker', { tags: 'campaign' }, () => {
  it('stays within its memory under uploads, large requests and long lists at once', async () => {
    const atRest = await memory.measure()
    memory.watch()
    const file = new Uint8Array(16 * 1024 * 1024)
    file.set(new TextEncoder().encode('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'))
    const uploads = Array.from({ length: 8 }, async () =>
      accepted(await uploadForm(service, file, {})),
    )
    const words = Array.from({ length: 5_000 }, (_, i) => ({
      ...{ text: `word${i}`, startTime: i, endTime: i + 0.5 },
    }))
    const captions = { burn: true, source: { words } }
    const body = { fileUrl: 'https://media.example.com/a.mp4', captions }
    const creates = Array.from({ length: 20 }, async () => {
      await accepted(await service.request('/v1/videos', { json: body }))
    })
    await Promise.all(creates)
    const lists = Array.from({ length: 8 }, async () => {
      const { data } = await jsonOf(await service.request('/v1/videos?limit=100'))
      expect((data as unknown[]).length).toBeGreaterThan(3)
    })
    await Promise.all([...uploads, ...lists])
    await memory.close()
    expect(memory.highest).toBeGreaterThan(atRest)
    expect(memory.highest).toBeLessThan(isolateBytes)
  })
})
