import { describe, expect, it } from 'vitest'
import { SharedTime } from '../../../worker/app/compare/line-up.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { aTrace, finalText } from '../../support/worker/attempt.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { mostPageBytes, pageWeight } from '../../support/worker/dashboard/page-weight.ts'
import { anOwner, Visitor } from '../../support/worker/dashboard/visitor.ts'
import { aStorage, s3Endpoint, standInS3 } from '../../support/worker/storages/storages.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { aFinishedVideo, aStoredVideo, aVideo, start } from '../../support/worker/videos.ts'

const { media } = standInForAll()
const s3 = standInS3(media)

const source = {
  ...{ format: 'mov,mp4', sizeBytes: 5, durationSeconds: 10, codec: 'h264' },
  ...{ width: 640, height: 360, averageFps: 25, audio: 'aac' },
}
const cut = { source: 0, startTime: 2, endTime: 4, why: 'filler', resultTime: 2 }
const heardPlan = {
  sources: [source],
  cuts: { count: 1, removedSeconds: 2, list: [cut], unlisted: 0 },
  sound: { loudness: -23, gainDb: 7, hasNoiseRemoved: false },
}
const frozen = {
  still: 'check-1',
  ...{ name: 'frozen', result: 'warned', message: 'It stands still <here>.' },
  stretch: { startTime: 3, endTime: 4 },
}

/** A finished video whose source is kept, unless the request names its address, and its owner. */
async function aComparedVideo(plan: object = heardPlan, request?: { fileUrl: string }) {
  const client = await aClient()
  const owner = await anOwner(client.accountId)
  if (request) await aStorage(client, s3.current, 'raw')
  const created = request ? await aVideo(client, request) : await aStoredVideo(client)
  const { attempt, videoId, jobId } = await start(created)
  const videoMetadata = { width: 360, height: 640, duration: 8, fps: 25, sizeInBytes: 26 }
  const passed = { name: 'length', result: 'passed', message: 'As planned.' }
  const told = { videoMetadata, checks: [passed, frozen], trace: { ...aTrace, plan } }
  const kinds = ['final', 'check-1'] as const
  const written = await Promise.all(kinds.map(async (kind) => attempt.upload(kind, finalText)))
  await attempt.succeed(written, told)
  const path = `/app/videos/${videoId}/compare`
  const { text, headers } = await owner.get(path)
  const policy = headers.get('Content-Security-Policy')
  const [, shared = ''] = /href="https?:\/\/[^/"]+(\/app\/shared\/[^"]+)"/.exec(text) ?? []
  return { client, owner, videoId, jobId, path, text, policy, shared }
}

describe('the page that compares source and result', () => {
  it('shows both with what was cut, the levels, and what a check found at its place', async () => {
    const { text, videoId, owner, client } = await aComparedVideo()
    expect(text).toContain(`src="/app/videos/${videoId}/source"`)
    expect(text).toMatch(/<video id="result" src="https:\/\/files\.spool\.test\/files\//)
    const [, line = ''] = /data-compare="([^"]+)"/.exec(text) ?? []
    expect(JSON.parse(line.replaceAll('&quot;', '"'))).toEqual({
      ...{ seconds: 10, resultSeconds: 8, speed: 1, begins: 0 },
      cuts: [[2, 4, 2, 'filler']],
    })
    expect(text).toContain('<rect class="cut" x="20%" y="0" width="20%"')
    // The third second of the result is the fifth of the source.
    expect(text).toContain('<rect class="warned" x="50%" y="0" width="10%"')
    expect(text).toContain('frozen: It stands still &lt;here&gt;.')
    const { checks } = (await client.record(videoId)) as { checks: object[] }
    const stillUrl = expect.stringContaining('/files/') as string
    expect(checks[1]).toEqual({ ...{ ...frozen, still: undefined }, stillUrl })
    const still = /<img src="(https:[^"]+)" alt="What the check of frozen found"/
    const [, address = ''] = still.exec(text) ?? []
    expect((await owner.get(`/app/videos/${videoId}`)).text).toMatch(still)
    const { pathname, search } = new URL(address.replaceAll('&amp;', '&'))
    const status = async () => (await new Visitor().get(pathname + search)).status
    expect(await status()).toBe(200)
    expect(text).toMatch(/−23 LUFS<\/td>.*−16 LUFS<\/td>/)
    expect((await owner.get(`/app/videos/${videoId}`)).text).toContain(`/${videoId}/compare"`)
    const { bytes, scripts } = await pageWeight(text)
    expect(scripts).toContain('/scripts/compare.js')
    expect(bytes).toBeLessThan(mostPageBytes)
    await client.delete(`/v1/videos/${videoId}`)
    expect(await status()).toBe(404)
  })

  it('tells its script that a source has no sound', async () => {
    const { text } = await aComparedVideo({ ...heardPlan, sources: [{ ...source, audio: null }] })
    expect(text).toContain('&quot;isSilent&quot;:true')
  })

  it.each([
    ['gif', /<img id="result" src="[^"]+\.gif/, 'Levels'],
    ['hls', /<video id="result" src="[^"]+v360\.mp4/, 'lined sounds'],
    ['mp3', /<audio id="result" src="[^"]+\.mp3/, 'Side by side'],
  ] as const)('shows what is only a %s', async (outputFormat, shown, without) => {
    const client = await aClient()
    const owner = await anOwner(client.accountId)
    const request = { outputs: [{ name: 'only', outputFormat, startTime: 1 }] }
    const { attempt, videoId } = await start(await aStoredVideo(client, { request }))
    const isStream = outputFormat === 'hls'
    const extension = isStream ? 'm3u8' : outputFormat
    const parts = ['output-only.v360', 'output-only.v240', 'output-only.audio'] as const
    const written = [
      await attempt.upload('output-only', 'it', { extension }),
      ...(isStream
        ? await Promise.all(
            parts.map(async (part) => attempt.upload(part, 'part', { extension: 'mp4' })),
          )
        : []),
    ]
    const files = isStream ? { files: parts } : {}
    const told = { kind: 'output-only', format: outputFormat, duration: 7, warnings: [] }
    const named = [{ name: 'only', ...told, ...files, checks: [frozen] }]
    await attempt.succeed([...written, await attempt.upload('check-1', 'a still')], {
      named,
      trace: { ...aTrace, plan: heardPlan },
    })
    expect((await owner.get(`/app/videos/${videoId}`)).text).toContain(`/${videoId}/compare"`)
    const { text } = await owner.get(`/app/videos/${videoId}/compare`)
    expect(text).toMatch(shown)
    expect(text.includes('id="result-sound"')).toBe(isStream)
    expect(text).not.toContain(without)
    expect(text).toContain('&quot;resultSeconds&quot;:7,&quot;speed&quot;:1,&quot;begins&quot;:1')
    expect(text).toContain('frozen: It stands still &lt;here&gt;.')
  })

  it.each([
    ['an address', 'https://films.example.com/a/talk.mp4?key=k', 'https://films.example.com'],
    ['a storage', 'storage://raw/talk.mp4', s3Endpoint],
  ])('plays a source from %s there, and shows it to no stranger', async (_, fileUrl, origin) => {
    const video = await aComparedVideo(heardPlan, { fileUrl })
    const { client, owner, path, text, policy, shared } = video
    const [, address = ''] = /<video id="source" src="([^"]+)"/.exec(text) ?? []
    expect(new URL(address.replaceAll('&amp;', '&')).origin).toBe(origin)
    expect(text).toContain('&quot;isElsewhere&quot;:true')
    for (const what of ['media-src', 'connect-src'])
      expect(policy).toMatch(new RegExp(`${what} [^;]* ${origin}(;|$)`))
    const stranger = await new Visitor().get(shared)
    expect(stranger.text).toContain('Its source is at an address, which is shown only to people')
    for (const said of [stranger.text, stranger.headers.get('Content-Security-Policy')])
      expect(said).not.toContain(new URL(origin).host)
    expect((await new Visitor().get(`${shared}/source`)).status).toBe(409)
    await client.delete('/v1/storages/raw')
    const closed = (await owner.get(path)).text.includes('a storage that Spool can no longer read')
    expect(closed).toBe(fileUrl.startsWith('storage:'))
  })

  it('shows only the result, and says why, without a source to put beside it', async () => {
    const client = await aClient()
    const owner = await anOwner(client.accountId)
    const unplanned = await aFinishedVideo(client)
    const alone = (await owner.get(`/app/videos/${unplanned.videoId}/compare`)).text
    expect(alone).toContain('The plan of its job is no longer kept')
    expect(alone).not.toContain('id="source"')
    const { videoId, path, owner: other } = await aComparedVideo()
    await bindings.DB.prepare('UPDATE videos SET source_deleted_at = 1 WHERE id = ?')
      .bind(videoId)
      .run()
    const expired = (await other.get(path)).text
    expect(expired).toContain('Its source is no longer kept.')
    expect(expired).toContain('<video id="result"')
  })

  it('is not there for another account, and leads to the video where there is no film', async () => {
    const { path, client, owner } = await aComparedVideo()
    expect((await (await anOwner()).get(path)).status).toBe(404)
    const { videoId } = await aStoredVideo(client)
    const early = await owner.get(`/app/videos/${videoId}/compare`)
    expect([early.status, early.headers.get('Location')]).toEqual([303, `/app/videos/${videoId}`])
  })
})

describe('a link to that page', () => {
  it('shows it and its source to anybody, and nothing else of the account', async () => {
    const { shared, jobId, owner } = await aComparedVideo()
    const { status, text } = await new Visitor().get(shared)
    expect(status).toBe(200)
    expect(text).toContain(`src="${shared}/source"`)
    for (const hidden of [jobId, owner.accountId, '/app/videos', '<form', '<nav'])
      expect(text).not.toContain(hidden)
    const film = await new Visitor().get(`${shared}/source`)
    expect([film.status, film.text]).toEqual([200, 'bytes'])
    const [video = '', end = '', mac = ''] = shared.split('/').at(-1)?.split('.') ?? []
    for (const changed of [
      `${video}.${Number(end) + 1}.${mac}`,
      `${video}.${end}.${'0'.repeat(64)}`,
    ])
      for (const of of ['', '/source'])
        expect((await new Visitor().get(`/app/shared/${changed}${of}`)).status).toBe(403)
  })

  it('ends with its files after a day', async () => {
    const { shared } = await aComparedVideo()
    const { text } = await new Visitor().get(shared)
    const [, result = ''] = /<video id="result" src="https:\/\/[^/]+([^"]+)"/.exec(text) ?? []
    const addresses = [shared, `${shared}/source`, result]
    const statuses = async () =>
      Promise.all(addresses.map(async (one) => (await new Visitor().get(one)).status))
    advanceSeconds(86_390)
    expect(await statuses()).toEqual([200, 200, 200])
    advanceSeconds(10)
    expect(await statuses()).toEqual([403, 403, 403])
  })

  it('ends when the video is deleted', async () => {
    const { shared, client, videoId } = await aComparedVideo()
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    for (const of of ['', '/source'])
      expect((await new Visitor().get(`${shared}${of}`)).status).toBe(404)
  })
})

it('the time that source and result share counts cuts, a transition at one of them, the speed, and an excerpt', () => {
  // Twice as fast; the second cut has a transition of half a second; the film begins with the second second of the edit.
  const time = new SharedTime({
    ...{ seconds: 20, resultSeconds: 7, speed: 2, begins: 1 },
    cuts: [
      [4, 6, 2, 'silence'],
      [10, 12, 3.5, 'asked'],
    ],
  })
  for (const [second, at] of [
    [2, 0],
    [4, 1],
    [5, 1],
    [8, 2],
    [12, 2.5],
    [20, 6.5],
  ] as const)
    expect([second, time.inResult(second)]).toEqual([second, at])
  for (const [at, second] of [
    [0, 2],
    [0.5, 3],
    [1, 6],
    [2.5, 12],
    [7, 20],
  ] as const)
    expect([at, time.inSource(at)]).toEqual([at, second])
  expect([time.cutAt(3.9), time.cutAt(4)?.[3], time.cutAt(6)]).toEqual([
    undefined,
    'silence',
    undefined,
  ])
})
