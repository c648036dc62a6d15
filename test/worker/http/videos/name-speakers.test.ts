import { describe, expect, it, vi } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { send, type Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { anOwner } from '../../../support/worker/dashboard/visitor.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { aTranscribedVideo, aVideo, objectKeys } from '../../../support/worker/videos.ts'

standInForAll()

const said = (startTime: number, text: string, speaker: string) => ({
  ...{ startTime, endTime: startTime + 1, text, speaker },
  words: [{ startTime, endTime: startTime + 1, text, speaker }],
})
const speakers = [
  { name: 'Speaker 1', seconds: 2 },
  { name: 'Speaker 2', seconds: 1 },
  { name: 'Speaker 3', seconds: 1.5 },
]
const segments = [
  said(0, 'Why?', 'Speaker 1'),
  said(1, 'Because <b> & c.', 'Speaker 2'),
  said(2, 'Go on.', 'Speaker 3'),
  said(3, 'I see.', 'Speaker 1'),
]
const text = segments.map((one) => one.text).join(' ')
const texts = {
  'transcript-json': JSON.stringify({ text, language: 'en', speakers, segments }),
  'transcript-vtt': `WEBVTT

00:00:00.000 --> 00:00:01.000
<v Speaker 1>Why?

00:00:01.000 --> 00:00:02.000
<v Speaker 2>Because &lt;b&gt; &amp; c.

00:00:02.000 --> 00:00:03.000
<v Speaker 3>Go on.

00:00:03.000 --> 00:00:04.000
<v Speaker 1>I see.
`,
}

async function anInterview(given?: Client, request: Record<string, unknown> = {}) {
  const transcript = { text, speakers, speakersCertain: false }
  const asked = { request: { speakers: true, ...request }, transcript, texts }
  const { client, videoId } = await aTranscribedVideo(given, asked)
  const path = `/v1/videos/${videoId}`
  const name = async (speakerNames: unknown) => client.patch(path, { speakerNames })
  const file = async (format: string) =>
    (await client.get(`${path}/transcript?format=${format}`)).text
  return { client, videoId, path, name, file }
}

type Told = { speakers: unknown; vttUrl: string; srtUrl: string; transcriptUrl: string }

describe('names for the speakers of a transcript', () => {
  it('stand in the record and in every file, also in those that links lead to', async () => {
    const { client, path, name, file } = await anInterview()
    const before = (await client.get(path)).json['transcript'] as Told
    advanceSeconds(1)
    const answer = await name({ 'Speaker 1': 'Anna & Co', 'Speaker 2': 'Ben' })
    expect(answer.status).toBe(200)
    const told = answer.json['transcript'] as Told
    expect(told).toMatchObject({
      speakers: [
        { name: 'Anna & Co', seconds: 2, heardAs: ['Speaker 1'] },
        { name: 'Ben', seconds: 1, heardAs: ['Speaker 2'] },
        { name: 'Speaker 3', seconds: 1.5 },
      ],
      speakersCertain: false,
    })
    expect(JSON.parse(await file('json'))).toMatchObject({
      speakers: told.speakers,
      segments: [
        { speaker: 'Anna & Co', words: [{ speaker: 'Anna & Co' }] },
        { speaker: 'Ben' },
        { speaker: 'Speaker 3' },
        { speaker: 'Anna & Co' },
      ],
    })
    expect(await file('txt')).toContain('Anna & Co: Why?\n\nBen: Because <b> & c.')
    expect(await file('vtt')).toContain('<v Anna &amp; Co>Why?')
    expect(await file('srt')).toContain('Ben: Because <b> & c.')
    const read = async (url: string) => (await send(url)).text
    expect(await read(told.vttUrl)).toBe(await file('vtt'))
    expect(await read(told.srtUrl)).toBe(await file('srt'))
    expect(await read(told.transcriptUrl)).toBe(await file('txt'))
    await name({ 'Speaker 2': 'Cleo' })
    expect(await read(told.vttUrl)).toContain('<v Cleo>Because')
    expect(await read(before.vttUrl)).toBe(texts['transcript-vtt'])
  })

  it('make one of two that have the same name, until one gets another name', async () => {
    const { videoId, name, file } = await anInterview()
    const merged = await name({ 'Speaker 1': 'Anna', 'Speaker 3': 'Anna', 'Speaker 2': 'Ben' })
    expect(merged.json['transcript']).toMatchObject({
      speakers: [
        { name: 'Anna', seconds: 3.5, heardAs: ['Speaker 1', 'Speaker 3'] },
        { name: 'Ben', seconds: 1 },
      ],
    })
    expect(await file('txt')).toBe('Anna: Why?\n\nBen: Because <b> & c.\n\nAnna: Go on. I see.\n')
    expect((await file('srt')).match(/Anna: /g)).toHaveLength(2)
    const apart = await name({ 'Speaker 3': 'Cleo', 'Speaker 2': null })
    expect(apart.json['transcript']).toMatchObject({
      speakers: [{ name: 'Anna' }, { name: 'Speaker 2' }, { name: 'Cleo' }],
    })
    expect((await name({})).json['transcript']).toEqual(apart.json['transcript'])
    const spaced = await name({ 'Speaker 1': ' Anna ' })
    expect(spaced.json['transcript']).toEqual(apart.json['transcript'])
    const kept = await objectKeys(videoId)
    expect(kept.filter((key) => key.includes('/named/'))).toHaveLength(4)
    const first = await name(null)
    expect(first.json['transcript']).toMatchObject({ speakers })
    expect(await file('vtt')).toBe(texts['transcript-vtt'])
    expect((await objectKeys(videoId)).filter((key) => key.includes('/named/'))).toEqual([])
  })

  it('are refused for people whom the transcript does not have, and before there is one', async () => {
    const { client, name } = await anInterview()
    const unknown = await name({ Anna: 'Ben' })
    expect(unknown).toMatchObject({ status: 400 })
    expect(unknown.text).toContain(
      'speakerNames.Anna: No speaker of this transcript: the job called them Speaker 1, Speaker 2, Speaker 3',
    )
    for (const wrong of ['<v>', 'An\u2028na', 'An\u202ena', ' ']) {
      expect(await name({ 'Speaker 1': wrong })).toMatchObject({ status: 400 })
    }
    const { videoId } = await aVideo(client, { speakers: true })
    const early = await client.patch(`/v1/videos/${videoId}`, { speakerNames: {} })
    expect(early).toMatchObject({ status: 409 })
    const stranger = await aClient()
    const { path } = await anInterview(client)
    const theirs = await stranger.patch(path, { speakerNames: { 'Speaker 1': 'Eve' } })
    expect(theirs).toMatchObject({ status: 404 })
  })

  it('go with the video', async () => {
    const { client, videoId, path, name } = await anInterview()
    const { json } = await name({ 'Speaker 1': 'Anna' })
    await client.delete(path)
    expect(await objectKeys(videoId)).toEqual([])
    expect((await send((json['transcript'] as Told).vttUrl)).status).toBe(404)
    expect(await bindings.BUCKET.head(`videos/${videoId}/gone`)).toBeNull()
  })

  it('go with the video also if they are given while it is deleted', async () => {
    const { client, videoId, path, name } = await anInterview()
    const bucket = prototypeOf(bindings.BUCKET)
    const real = bucket.list.bind(bindings.BUCKET)
    const list = vi.spyOn(bucket, 'list').mockImplementationOnce(async (options) => {
      const listed = await real(options)
      expect((await name({ 'Speaker 1': 'Anna' })).status).toBe(200)
      return listed
    })
    expect((await client.delete(path)).status).toBe(204)
    list.mockRestore()
    expect(await objectKeys(videoId)).toEqual([])
  })

  it('go with the video also if another one still has its files', async () => {
    const { client, videoId, path, name } = await anInterview()
    const other = await anInterview(client)
    const shared = 'UPDATE videos SET files_of = ? WHERE id = ?'
    await bindings.DB.prepare(shared).bind(videoId, other.videoId).run()
    await name({ 'Speaker 1': 'Anna' })
    // Seed 2000378: the bucket failed when the names were changed, so files with those of before have stayed.
    const stuck = vi.spyOn(prototypeOf(bindings.BUCKET), 'delete')
    stuck.mockRejectedValueOnce(new Error('R2 is down'))
    await name({ 'Speaker 1': 'Bea' })
    stuck.mockRestore()
    await client.delete(path)
    const kept = await objectKeys(videoId)
    expect(kept.filter((key) => key.includes('/named/'))).toEqual([])
    expect(kept).toContainEqual(expect.stringContaining('transcript'))
  })

  it('stand in captions in other languages, too', async () => {
    const client = await aClient()
    const captions = { translateTo: ['es'] }
    const { videoId, path, name } = await anInterview(client, { captions })
    const words = '00:00:00.000 --> 00:00:01.000\n<v Speaker 1>¿Por qué?\n'
    const outputs = Object.fromEntries(
      await Promise.all(
        (['vtt', 'srt'] as const).map(async (format) => {
          const kind = `captions-es-${format}`
          const key = `videos/${videoId}/out/1/${kind}.${format}`
          const object = await bindings.BUCKET.put(key, `WEBVTT\n\n${words}`)
          const contentType = 'text/vtt; charset=utf-8'
          return [
            kind,
            {
              key,
              sizeBytes: object?.size,
              etag: object?.httpEtag,
              extension: format,
              contentType,
            },
          ] as const
        }),
      ),
    )
    await bindings.DB.prepare(`UPDATE videos SET result = json_patch(result, ?) WHERE id = ?`)
      .bind(JSON.stringify({ outputs }), videoId)
      .run()
    await name({ 'Speaker 1': 'Anna' })
    const { translations } = (await client.get(path)).json as {
      translations: { vttUrl: string; srtUrl: string }[]
    }
    const [spanish] = translations
    expect((await send(spanish?.vttUrl ?? '')).text).toContain('<v Anna>¿Por qué?')
    expect((await send(spanish?.srtUrl ?? '')).text).toContain('Anna: ¿Por qué?')
  })

  it('are all kept if several are saved at the same moment', async () => {
    const { client, videoId, path, name, file } = await anInterview()
    const pages = ['Anna', 'Ben', 'Cleo'].map(async (who, i) => name({ [`Speaker ${i + 1}`]: who }))
    for (const { status } of await Promise.all(pages)) expect(status).toBe(200)
    expect((await client.get(path)).json['transcript']).toMatchObject({
      speakers: [{ name: 'Anna' }, { name: 'Ben' }, { name: 'Cleo' }],
    })
    expect(await file('txt')).toContain('Anna: Why?\n\nBen: Because <b> & c.\n\nCleo: Go on.')
    expect((await objectKeys(videoId)).filter((key) => key.includes('/named/'))).toHaveLength(4)
  })

  it('leave no file behind if the database does not save them', async () => {
    const { videoId, name, file } = await anInterview()
    const before = await file('txt')
    const batch = vi.spyOn(prototypeOf(bindings.DB), 'batch')
    batch.mockRejectedValueOnce(new Error('D1 is down'))
    expect((await name({ 'Speaker 1': 'Anna' })).status).toBe(500)
    batch.mockRestore()
    expect((await objectKeys(videoId)).filter((key) => key.includes('/named/'))).toEqual([])
    expect(await file('txt')).toBe(before)
  })

  it('leave no file of the names before if only the answer of the database is lost', async () => {
    const { videoId, name, file } = await anInterview()
    await name({ 'Speaker 1': 'Anna' })
    const database = prototypeOf(bindings.DB)
    const save = database.batch.bind(bindings.DB)
    const batch = vi.spyOn(database, 'batch').mockImplementationOnce(async (statements) => {
      await save(statements)
      throw new Error('D1 is down')
    })
    expect((await name({ 'Speaker 1': 'Bea' })).status).toBe(500)
    batch.mockRestore()
    expect(await file('txt')).toContain('Bea: Why?')
    expect((await objectKeys(videoId)).filter((key) => key.includes('/named/'))).toHaveLength(4)
  })

  it('stand in the captions of a stream, whose links of before keep the first names', async () => {
    const { client, videoId, path, name } = await anInterview()
    const cue = '00:00:00.000 --> 00:00:01.000\n<v Speaker 1>Why?\n'
    const header = 'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n'
    const files = {
      'output-web': ['m3u8', '#EXTM3U'],
      'output-web.captions': ['vtt', header + cue],
      'output-web.v1': ['mp4', 'a film'],
    }
    const stored = await Promise.all(
      Object.entries(files).map(async ([kind, [extension = '', content = '']]) => {
        const key = `videos/${videoId}/out/1/${kind}.${extension}`
        const object = await bindings.BUCKET.put(key, content)
        const { size: sizeBytes = 0, httpEtag: etag = '' } = object ?? {}
        return [kind, { key, sizeBytes, etag, extension, contentType: 'text/vtt' }] as const
      }),
    )
    const parts = ['output-web.captions', 'output-web.v1']
    // Places of pictures name nobody, so they are not even read: these are not there.
    const places = { key: 'gone', sizeBytes: 1, etag: '', extension: 'vtt', contentType: '' }
    const named = [
      { name: 'web', kind: 'output-web', files: parts, format: 'hls' },
      { name: 'strip', kind: 'output-strip', format: 'sprite' },
    ]
    const outputs = { ...Object.fromEntries(stored), 'output-strip': places }
    const result = JSON.stringify({ outputs, named })
    await bindings.DB.prepare(`UPDATE videos SET result = json_patch(result, ?) WHERE id = ?`)
      .bind(result, videoId)
      .run()
    type Streams = { outputs: { url: string; files: { file: string; url: string }[] }[] }
    const captionsOf = async () => {
      const [stream] = ((await client.get(path)).json as Streams).outputs
      const [captions] = stream?.files ?? []
      // A player finds the captions beside the list that it opens.
      expect(captions?.url).toBe(new URL('captions.vtt', stream?.url).href)
      return captions?.url ?? ''
    }
    const before = await captionsOf()
    await name({ 'Speaker 1': 'Anna & Co' })
    expect((await send(await captionsOf())).text).toBe(
      header + cue.replace('Speaker 1', 'Anna &amp; Co'),
    )
    // Viewers fetch many ranges of the film, so those cost nothing in the database.
    const statements = vi.spyOn(prototypeOf(bindings.DB), 'prepare')
    const film = new URL('v1.mp4', await captionsOf())
    statements.mockClear()
    const range = await send(film.href, { headers: { Range: 'bytes=2-5' } })
    expect(range).toMatchObject({ status: 206, text: 'film' })
    expect((await send(new URL('index.m3u8', film).href)).text).toBe('#EXTM3U')
    expect(statements).not.toHaveBeenCalled()
    statements.mockRestore()
    expect((await send(before)).text).toBe(header + cue)
    await name(null)
    expect(await captionsOf()).toBe(before)
  })

  it('are given although the files before cannot be removed, and leave none if one cannot be written', async () => {
    const { videoId, name, file } = await anInterview()
    await name({ 'Speaker 1': 'Anna' })
    const named = async () => (await objectKeys(videoId)).filter((key) => key.includes('/named/'))
    const stuck = vi.spyOn(prototypeOf(bindings.BUCKET), 'delete')
    stuck.mockRejectedValue(new Error('R2 is down'))
    expect((await name({ 'Speaker 1': 'Bea' })).status).toBe(200)
    stuck.mockRestore()
    expect(await file('txt')).toContain('Bea: Why?')
    const before = await named()
    const full = vi.spyOn(prototypeOf(bindings.BUCKET), 'put')
    full.mockRejectedValueOnce(new Error('R2 is down'))
    expect((await name({ 'Speaker 1': 'Cleo' })).status).toBe(500)
    full.mockRestore()
    expect(await named()).toEqual(before)
    expect(await file('txt')).toContain('Bea: Why?')
  })
})

describe('names for speakers in the dashboard', () => {
  it('are entered by a form, shown in the words, and used by the next edit', async () => {
    const client = await aClient()
    const owner = await anOwner(client.accountId)
    const { videoId, path } = await anInterview(client, { keepSpeakers: ['Speaker 2'] })
    const page = `/app/videos/${videoId}`
    const before = (await owner.get(page)).text
    expect(before).toContain('data-who="Speaker 1"')
    expect(before).toContain('It is not certain who speaks')
    const form = { heard: ['Speaker 1', 'Speaker 2', 'Speaker 3'], name: ['Anna', 'Ben', 'Anna'] }
    expect(await owner.submit(`${page}/speakers`, form)).toMatchObject({ status: 303 })
    const html = (await owner.get(page)).text
    expect(html).toContain('data-who="Ben"')
    expect(html).not.toContain('data-who="Speaker')
    const next = (await owner.get(`/app/videos/new?from=${videoId}`)).text
    expect(next).toContain(
      '{&quot;names&quot;:[&quot;Anna&quot;,&quot;Ben&quot;,&quot;Anna&quot;]}',
    )
    const told = (await client.get(path)).json
    expect(told).toMatchObject({ speakers: true, keepSpeakers: ['Speaker 2'] })
    // The third field is that of Ben, because the two voices of Anna stand together.
    expect(html).toMatch(/href="#speaker-2"[^>]*data-who="Ben"/)
    const refused = await owner.submit(`${page}/speakers`, { ...form, name: ['a<b', 'Ben', 'c'] })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Must not have')
    expect(refused.text).toContain('value="a&lt;b"')
    const stranger = await anOwner((await aClient()).accountId)
    expect(await stranger.submit(`${page}/speakers`, form)).toMatchObject({ status: 404 })
  })

  it('stay as they are now where the page did not change them', async () => {
    const client = await aClient()
    const owner = await anOwner(client.accountId)
    const { videoId, path, name } = await anInterview(client)
    const heard = ['Speaker 1', 'Speaker 2', 'Speaker 3']
    const opened = { heard, was: heard }
    await name({ 'Speaker 2': 'Ben', 'Speaker 3': 'Cleo' })
    const form = { ...opened, name: ['Anna', 'Speaker 2', ''] }
    const answer = await owner.submit(`/app/videos/${videoId}/speakers`, form)
    expect(answer).toMatchObject({ status: 303 })
    expect((await client.get(path)).json['transcript']).toMatchObject({
      speakers: [{ name: 'Anna' }, { name: 'Ben' }, { name: 'Speaker 3' }],
    })
  })

  it('are taken from no other form and no huge one, and are counted', async () => {
    const client = await aClient()
    const owner = await anOwner(client.accountId)
    const { videoId } = await anInterview(client)
    const page = `/app/videos/${videoId}`
    for (const path of [page, `${page}/speakers`]) {
      const huge = { heard: ['Speaker 1'], name: ['a'], videoName: 'x'.repeat(70_000) }
      expect((await owner.submit(path, huge)).status).toBe(413)
    }
    const answer = await owner.submit(`${page}/speakers`, { heard: 'Speaker 1', name: 'Anna' })
    expect(answer.headers.get('RateLimit')).not.toBeNull()
  })
})
