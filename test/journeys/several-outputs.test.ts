import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createVideo, ended, untilStatus } from '../support/node/api.ts'
import { ClipServer } from '../support/node/clip-server.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import type { RunningService } from '../support/node/service.ts'
import { sharedService } from '../support/node/shared-service.ts'

let clips: ClipServer
let service: RunningService
let clipUrl: string

beforeAll(async () => {
  clips = await ClipServer.start()
  clipUrl = clips.serve('talk.mp4', await makeVideo({ seconds: 3, size: '320x180' }))
  service = await sharedService()
})

afterAll(async () => {
  await clips.close()
})

type Shown = { name: string; url: string; format: string; bytes: number; duration: number }
type Probed = { streams: { codec_name: string; width?: number; height?: number }[] }

async function read({ url, format, bytes }: Shown): Promise<Probed> {
  const response = await fetch(url)
  const content = new Uint8Array(await response.arrayBuffer())
  expect(content).toHaveLength(bytes)
  const file = path.join(tmpdir(), `spool-output-${crypto.randomUUID()}.${format}`)
  await writeFile(file, content)
  const asked = ['-v', 'error', '-show_streams', '-of', 'json', file]
  const { stdout } = await promisify(execFile)('ffprobe', asked)
  await rm(file)
  return JSON.parse(stdout) as Probed
}

describe('a request with several outputs', () => {
  it('gives a film, an upright one and a podcast, each behind its link', async () => {
    const { videoId } = await createVideo(service, {
      fileUrl: clipUrl,
      removeSegments: [{ startTime: 0, endTime: 1 }],
      outputs: [
        { name: 'web' },
        { name: 'phone', aspectRatio: '9:16' },
        { name: 'podcast', outputFormat: 'mp3' },
      ],
    })
    const record = await untilStatus(service, videoId, ended)
    expect(record).toMatchObject({ status: 'succeeded', videoMetadata: { width: 320 } })
    const outputs = record['outputs'] as Shown[]
    expect(outputs.map(({ name, format }) => [name, format])).toEqual([
      ['web', 'mp4'],
      ['phone', 'mp4'],
      ['podcast', 'mp3'],
    ])
    expect(outputs[0]?.url).toBe(record['finalVideoUrl'])
    const [web, phone, podcast] = await Promise.all(outputs.map(read))
    expect(web?.streams[0]).toMatchObject({ width: 320, height: 180 })
    expect(phone?.streams[0]).toMatchObject({ width: 102, height: 180 })
    expect(podcast?.streams[0]).toMatchObject({ codec_name: 'mp3' })
    for (const { duration } of outputs) expect(Math.abs(duration - 2)).toBeLessThan(0.1)
  })
})
