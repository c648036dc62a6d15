import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVideo, ended, untilStatus } from '../support/node/api.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { aPlace, removePlace, RunningService, type Place } from '../support/node/service.ts'
import { clipsForAll } from '../support/node/shared-service.ts'

const root = path.join(import.meta.dirname, '../..')

const clips = clipsForAll()
let clipUrl: string
let place: Place

beforeAll(async () => {
  clipUrl = clips.serve('talk.mp4', await makeVideo({ seconds: 1 }))
  place = await aPlace()
})

afterAll(async () => removePlace(place))

async function makesAVideo(service: RunningService): Promise<string> {
  const { videoId } = await createVideo(service, { fileUrl: clipUrl, outputFormat: 'mov' })
  const record = await untilStatus(service, videoId, ended)
  expect(record).toMatchObject({ status: 'succeeded' })
  expect((await fetch(String(record['finalVideoUrl']))).status).toBe(200)
  return videoId
}

/** One data directory for all of them: the video is there in whichever way the service runs. */
describe('the same data', { tags: 'campaign' }, () => {
  let videoId = ''

  async function knowsIt(service: RunningService): Promise<void> {
    expect((await service.request(`/v1/videos/${videoId}`)).status).toBe(200)
  }

  it('is served by npm run dev, which names the port of the debugger', async () => {
    const service = await RunningService.start(place, {}, { script: 'scripts/dev.ts' })
    expect(service.output.join('\n')).toMatch(/Debugger {3}127\.0\.0\.1:\d+/)
    videoId = await makesAVideo(service)
    expect(await service.stop()).toBe(0)
  })

  it('is served by npm start', async () => {
    const service = await RunningService.start(place)
    await knowsIt(service)
    expect(await service.stop()).toBe(0)
  })

  it('is served by npx wrangler dev with the command that npm run dev prints', async () => {
    let wrangler: ChildProcess | undefined
    const onLine = (line: string) => {
      const [, words] = /^ {2}npx wrangler (.*)$/.exec(line) ?? []
      if (words === undefined) return
      wrangler = spawn('npx', ['wrangler', ...words.split(' ')], {
        cwd: root,
        stdio: 'ignore',
        detached: true,
        env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
      })
    }
    const launch = { script: 'scripts/dev.ts', args: ['--by-hand'], onLine }
    const service = await RunningService.start(place, {}, launch)
    await knowsIt(service)
    await makesAVideo(service)
    expect(await service.stop()).toBe(0)
    const gone = once(wrangler as ChildProcess, 'exit')
    process.kill(-Number(wrangler?.pid), 'SIGTERM')
    await gone
  })
})
