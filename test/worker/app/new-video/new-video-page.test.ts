import { beforeAll, describe, expect, it } from 'vitest'
import { createVideo } from '../../../../worker/contract/options/create-video.ts'
import { processingOptions } from '../../../../worker/contract/options/options.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { standInQueue } from '../../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../../support/worker/media-workers.ts'
import { mostPageBytes, pageWeight } from '../../../support/worker/dashboard/page-weight.ts'
import { aStoredVideo } from '../../../support/worker/videos.ts'
import { anOwner, Visitor } from '../../../support/worker/dashboard/visitor.ts'

// Nothing is made of the videos here.
standInQueue()
standInMediaWorkers()

const page = '/app/videos/new'
const clip = 'https://example.com/talk.mp4'

let owner: Awaited<ReturnType<typeof anOwner>>
beforeAll(async () => {
  owner = await anOwner()
})

const onceOf = (html: string) => /name="once" value="([^"]+)"/.exec(html)?.[1] ?? ''
const recordAt = async (location: string | null) => {
  const videoId = location?.split('/').at(-1) ?? ''
  const { text } = await owner.call('GET', `/videos/${videoId}`)
  return JSON.parse(text) as Record<string, unknown>
}

describe('GET /app/videos/new', () => {
  it('has a control for every option, and says nothing in the words of a schema', async () => {
    const { status, text } = await owner.get(page)
    expect(status).toBe(200)
    for (const name of Object.keys(processingOptions)) {
      if (name !== 'combine') expect(text).toContain(`id="field-${name}"`)
    }
    for (const name of ['videoName', 'webhookUrl', 'metadata', 'fileUrl', 'files', 'uploadId']) {
      expect(createVideo.shape).toHaveProperty(name)
      expect(text).toContain(`id="field-${name}"`)
    }
    expect(text).not.toMatch(/when absent|Not set/)
    expect(text).toMatch(/<button[^>]*>Create video<\/button>/)
  })

  it('is light, and runs nothing but scripts of the service', async () => {
    const { text, headers } = await owner.get(page)
    const { bytes, scripts } = await pageWeight(text)
    expect(scripts).toContain('/scripts/new-video.js')
    expect(bytes).toBeLessThan(mostPageBytes)
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(text).not.toMatch(/ style=| on[a-z]+="/)
  })

  it('offers the presets of the account', async () => {
    const fields = { removeNoise: true }
    expect((await owner.call('PUT', '/presets/sunday-show', { fields })).status).toBe(201)
    const { text } = await owner.get(page)
    expect(text).toMatch(/name="preset" value="clean-talk"/)
    expect(text).toMatch(
      /name="preset" value="sunday-show"[^>]*data-fields="{&quot;removeNoise&quot;:true}"/,
    )
    const other = await (await anOwner()).get(page)
    expect(other.text).not.toContain('sunday-show')
  })
})

describe('GET /app/videos/new?from=', () => {
  it('is filled in with the request of a video', async () => {
    const request = {
      files: [
        { url: clip },
        { url: 'https://example.com/b.mp4', removeSegments: [{ startTime: 1, endTime: 2 }] },
      ],
      combine: true,
      aspectRatio: '9:16',
      elements: [{ type: 'audio', url: 'https://example.com/m.mp3', effects: { volume: 0.3 } }],
    }
    const { json } = await owner.call('POST', '/videos', request)
    const { text } = await owner.get(`${page}?from=${String(json['videoId'])}`)
    expect(text).toMatch(/value="several" checked/)
    expect(text).toMatch(
      /name="files\[1\]\.removeSegments\[0\]\.endTime"[^>]*value="2"|value="2"[^>]*name="files\[1\]\.removeSegments\[0\]\.endTime"/,
    )
    expect(text).toMatch(/name="aspectRatio" value="9:16" checked/)
    expect(text).toContain('name="elements[0].effects.volume"')
    expect(text).not.toMatch(/name="elements\[0\]\.position/)
  })

  it('uses the file of a video that was uploaded, and shows it in the preview', async () => {
    const client = await aClient({ accountId: owner.accountId })
    const { videoId } = await aStoredVideo(client, { request: { aspectRatio: '1:1' } })
    const { text } = await owner.get(`${page}?from=${videoId}`)
    expect(text).toMatch(/value="again" checked/)
    expect(text).toMatch(/name="aspectRatio" value="1:1" checked/)
    const made = await owner.submit(page, {
      ...{ source: 'again', sourceVideoId: videoId, once: onceOf(text) },
    })
    expect(await recordAt(made.headers.get('Location'))).toMatchObject({ sourceVideoId: videoId })

    const address = `/app/videos/${videoId}/source`
    const part = await owner.send(address, { headers: { Range: 'bytes=1-2' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('Content-Range')).toBe('bytes 1-2/5')
    expect(part.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
    expect(part.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(part.headers.get('Content-Security-Policy')).toContain('sandbox')
    expect((await (await anOwner()).get(address)).status).toBe(404)
    expect((await new Visitor().get(address)).status).toBe(303)
  })

  it('knows no video of another account', async () => {
    const { json } = await owner.call('POST', '/videos', { fileUrl: clip })
    const other = await anOwner()
    expect((await other.get(`${page}?from=${String(json['videoId'])}`)).status).toBe(404)
    expect((await other.get(`${page}?from=%00`)).status).toBe(404)
  })
})

describe('POST /app/videos/new', () => {
  it('creates the video that the form asks for, once however often it is sent', async () => {
    const form = {
      once: onceOf((await owner.get(page)).text),
      source: 'address',
      fileUrl: clip,
      videoName: 'Talk',
      preset: '',
      removeNoise: 'true',
      aspectRatio: '9:16',
      compressionQuality: '80',
      'removeSegments[1].startTime': '1',
      'removeSegments[1].endTime': '2.5',
      'elements[0].type': 'image',
      'elements[1].type': 'audio',
      'elements[1].url': 'https://example.com/m.mp3',
      'files[0].url': '',
    }
    const first = await owner.submit(page, form)
    expect(first.status).toBe(303)
    const location = first.headers.get('Location')
    expect(await recordAt(location)).toMatchObject({
      fileUrl: clip,
      videoName: 'Talk',
      removeNoise: true,
      aspectRatio: '9:16',
      compressionQuality: 80,
      removeSegments: [{ startTime: 1, endTime: 2.5 }],
      elements: [{ type: 'audio', url: 'https://example.com/m.mp3' }],
    })
    expect((await owner.submit(page, form)).headers.get('Location')).toBe(location)
    const changed = await owner.submit(page, { ...form, videoName: 'Another' })
    expect(changed.status).toBe(303)
    expect(changed.headers.get('Location')).not.toBe(location)
  })

  it('joins several, and starts from a preset', async () => {
    const answer = await owner.submit(page, {
      source: 'several',
      preset: 'captions',
      'files[0].url': clip,
      'files[1].url': 'https://example.com/b.mp4',
      'files[1].disableAudio': 'true',
    })
    expect(await recordAt(answer.headers.get('Location'))).toMatchObject({
      combine: true,
      files: [{ url: clip }, { url: 'https://example.com/b.mp4', disableAudio: true }],
      enableTranscription: true,
    })
  })

  it('shows every fault at its control, and keeps what was entered', async () => {
    const { status, text } = await owner.submit(page, {
      source: 'address',
      fileUrl: 'ftp://example.com/a.mp4',
      videoName: '<b>"name"',
      compressionQuality: '400',
      'removeSegments[0].startTime': '5',
      'removeSegments[0].endTime': '2',
      'elements[0].type': 'image',
      'elements[0].comment': 'no address',
    })
    expect(status).toBe(400)
    expect(text).toContain('4 things have to be changed')
    for (const path of [
      'fileUrl',
      'compressionQuality',
      'removeSegments[0].endTime',
      'elements[0].url',
    ]) {
      expect(text).toContain(`href="#field-${path}"`)
      expect(text).toContain(`id="field-${path}-error"`)
    }
    expect(text).toContain('value="&lt;b&gt;&quot;name&quot;"')
    expect(text).toMatch(/value="no address"/)
    expect(text).not.toContain('<b>')
  })

  it('asks for the source that the form shows', async () => {
    const { status, text } = await owner.submit(page, { source: 'address' })
    expect(status).toBe(400)
    expect(text).toContain('id="field-fileUrl-error">Enter an address')
    expect((await owner.submit(page, { source: 'upload' })).text).toContain('Choose a file')
  })

  it('refuses a form of another site, and one of absurd names', async () => {
    const foreign = await owner.send(page, {
      method: 'POST',
      body: `source=address&fileUrl=${encodeURIComponent(clip)}`,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: 'https://evil.example',
      },
    })
    expect(foreign.status).toBe(403)
    const deep = await owner.submit(page, {
      source: 'address',
      fileUrl: clip,
      [`${'a.'.repeat(50_000)}b`]: '1',
      __proto__: '1',
      'constructor.name': '1',
    })
    expect(deep.status).toBe(400)
  })

  it('counts as a request of the account', async () => {
    const { headers } = await owner.submit(page, { source: 'address' })
    expect(
      [...headers.keys()].some(
        (name) => name.startsWith('ratelimit') || name.startsWith('x-ratelimit'),
      ),
    ).toBe(true)
  })
})
