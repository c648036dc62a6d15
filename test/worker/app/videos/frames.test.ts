import { describe, expect, it } from 'vitest'
import { frameAt, type SceneFrame } from '../../../../worker/app/videos/frame.ts'
import { asFramed } from '../../../../worker/app/new-video/request/made-again.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { aTrace } from '../../../support/worker/attempt.ts'
import { anOwner } from '../../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { aStoredVideo, aVideo, sourceUrl, start } from '../../../support/worker/videos.ts'

standInForAll()

const source = {
  ...{ format: 'mov,mp4', sizeBytes: 5, durationSeconds: 10, codec: 'h264' },
  ...{ width: 1920, height: 1080, averageFps: 25, audio: 'aac' },
}
const plan = {
  ...{ format: 'mp4', sources: [source], steps: [], sound: null },
  cuts: { count: 0, removedSeconds: 0, list: [], unlisted: 0 },
}
const videoMetadata = { width: 608, height: 1080, duration: 10, fps: 25, sizeInBytes: 26 }
const scenes = [
  { startTime: 0, endTime: 4, mode: 'crop', x: 30, y: 50, faces: 1, moves: [{ time: 4, x: 60 }] },
  { startTime: 4, endTime: 10, mode: 'wide', faces: 3 },
]
const reframed = { scenes, count: 2 }

async function aShownVideo(request: Record<string, unknown>, told: object) {
  const client = await aClient()
  const owner = await anOwner(client.accountId)
  const { attempt, videoId } = await start(await aStoredVideo(client, { request }))
  const trace = { ...aTrace, plan }
  await attempt.finish({
    ...{ videoMetadata, trace },
    ...told,
  })
  const page = (await owner.get(`/app/videos/${videoId}`)).text
  const next = async (query: string) => {
    const { text } = await owner.get(`/app/videos/new?from=${videoId}&${query}`)
    const [, json = ''] = /<textarea[^>]*id="request-json"[^>]*>([^<]*)</.exec(text) ?? []
    return JSON.parse(json.replaceAll('&quot;', '"')) as Record<string, unknown>
  }
  const compared = (await owner.get(`/app/videos/${videoId}/compare`)).text
  const [, frames] = /data-frames="([^"]+)"/.exec(compared) ?? []
  return { client, videoId, page, next, frames }
}

const follow = { aspectRatio: '9:16', resizeMode: 'follow' }

describe('the frame of a result on its source', () => {
  it('is drawn where the first scene begins, and each scene has its place', async () => {
    const { page, videoId, client, frames } = await aShownVideo(follow, { reframed })
    expect(page).toContain(`src="/app/videos/${videoId}/source#t=0.01"`)
    const [, x = '', width = ''] =
      /<rect class="frame" x="([\d.]+)" y="0" width="([\d.]+)"/.exec(page) ?? []
    expect(Number(x) + Number(width) / 2).toBeCloseTo(30, 5)
    expect(Number(width)).toBeCloseTo((100 * 608) / 1920, 5)
    expect(page).toContain('data-scene="4,10"')
    expect(page).toContain('<option value="wide" selected')
    expect((await client.record(videoId))['reframed']).toEqual(reframed)
    // Beside the result, a scene that shows more than one part of the source has no frame.
    const frame = { x: Number(x), y: 0, width: Number(width), height: 100 }
    const moved = { ...frame, x: expect.closeTo(Number(x) + 30, 5) as number }
    const read = (json = '') => JSON.parse(json.replaceAll('&quot;', '"')) as SceneFrame[]
    expect(read(frames)).toEqual([[0, frame, true], [4, moved], [4]])
    // It is between two places between their moments.
    const [, drawn] = /data-moved="([^"]+)"/.exec(page) ?? []
    expect(frameAt(read(drawn), 1)?.x).toBeCloseTo(Number(x) + 7.5, 5)
    expect(frameAt(read(frames), 3)?.x).toBeCloseTo(Number(x) + 22.5, 5)
    expect(frameAt(read(frames), 5)).toBeUndefined()
  })

  it('takes another place with the next edit, in the scenes that were changed', async () => {
    const { next } = await aShownVideo(follow, { reframed })
    expect(await next('mode0=crop&x0=70&mode1=wide&x1=50')).toMatchObject({
      reframe: { scenes: [{ startTime: 0, endTime: 4, mode: 'crop', x: '70%' }] },
    })
    expect(await next('mode0=crop&x0=30&mode1=halves&x1=50')).toMatchObject({
      reframe: { scenes: [{ startTime: 4, endTime: 10, mode: 'halves' }] },
    })
    expect(await next('mode0=crop&x0=30&mode1=wide&x1=50')).not.toHaveProperty('reframe')
    expect(await next('mode0=zoom&x0=-1&x1=abc')).not.toHaveProperty('reframe')
  })

  it('is drawn for a crop too, and moves as a whole', async () => {
    const crop = { x: 192, y: '10%', width: '50%', height: 540 }
    const { page, next } = await aShownVideo({ crop }, {})
    expect(page).toContain('<rect class="frame" x="10" y="10" width="50" height="50"')
    expect(await next('crop-x=20&crop-y=5')).toMatchObject({
      crop: { x: '20%', y: '5%', width: '50%', height: 540 },
    })
  })

  it('is drawn on a source at an address, which its page may play', async () => {
    const client = await aClient()
    const crop = { x: '25%', width: '50%' }
    const { attempt, videoId } = await start(await aVideo(client, { crop }))
    await attempt.finish({ videoMetadata, trace: { ...aTrace, plan } })
    const page = await (await anOwner(client.accountId)).get(`/app/videos/${videoId}`)
    expect(page.text).toContain(`src="${sourceUrl}#t=0.01"`)
    const policy = page.headers.get('Content-Security-Policy')
    expect(policy).toMatch(/media-src [^;]* https:\/\/media\.example\.com;/)
    expect(policy).not.toMatch(/(connect|script|img)-src[^;]*media\.example/)
  })

  it('is not there for a result that shows all of the source', async () => {
    expect((await aShownVideo({}, {})).page).not.toContain('What the result shows of the source')
    for (const shown of [[], scenes.slice(1)]) {
      const { frames } = await aShownVideo(follow, { reframed: { scenes: shown, count: 0 } })
      expect(frames).toBeUndefined()
    }
  })
})

it('asFramed keeps what was chosen before for other scenes', () => {
  const chosen = { startTime: 0, endTime: 4, x: '30%' } as const
  const request = {
    fileUrl: 'https://example.com/a.mp4',
    ...follow,
    reframe: { scenes: [chosen] },
  }
  const video = { request, result: { outputs: {}, warnings: [], reframed } } as unknown
  const framed = asFramed({}, video as Parameters<typeof asFramed>[1], {
    mode1: 'crop',
    x1: '60',
  })
  expect(framed).toEqual({
    reframe: { scenes: [chosen, { startTime: 4, endTime: 10, mode: 'crop', x: '60%' }] },
  })
})
