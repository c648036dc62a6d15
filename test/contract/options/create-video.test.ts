import { describe, expect, it } from 'vitest'
import {
  changeVideo,
  parseCreateVideo,
  uploadVideo,
} from '../../../worker/contract/options/create-video.ts'
import { faultyFields, faultyFieldsWith, minimalBody } from '../../support/node/create-faults.ts'

const fileUrl = 'https://example.com/talk.mp4'
const file = { url: fileUrl }

describe('parseCreateVideo', () => {
  it('fills in the defaults of the specification', () => {
    expect(parseCreateVideo({ fileUrl })).toMatchObject({
      ok: true,
      value: {
        fileUrl,
        combine: false,
        removeSilence: false,
        normalizeAudio: false,
        removeNoise: false,
        enableTranscription: false,
        enableAiAnalysis: false,
        enableThumbnail: false,
        outputFormat: 'mp4',
        compressionQuality: 100,
        rotate: 0,
        aspectRatio: 'original',
        resizeMode: 'cover',
        backgroundColor: '#000000',
      },
    })
  })

  it('refuses a wave that nobody sees on its background', () => {
    const wave = (color: string | undefined, background: string) =>
      faultyFieldsWith({ waveform: { color }, background })
    expect(wave('#101820', '#101820')).toEqual(['waveform.color'])
    expect(wave('#f0f0f0', '#ffffff')).toEqual(['waveform.color'])
    expect([...wave('#00ff88', '#101820'), ...wave(undefined, '#ffffff')]).toEqual([])
  })

  it.each([
    [{ fileUrl }],
    [{ fileUrl, combine: false }],
    [{ files: [file], combine: true }],
    [{ files: [file, { ...file, removeSegments: [], disableAudio: true }], combine: true }],
    [{ uploadId: 'u_0123456789abcdef' }],
  ])('accepts the source %j', (body) => {
    expect(faultyFields(body)).toEqual([])
  })

  it.each([
    '映像 🎬',
    'e\u0301',
    '👩‍👩‍👧',
    'عنوان',
    '<b>"&\'',
    '../../etc/passwd',
    'a:b?.webm',
    '%00',
    ' a ',
  ])('leaves the name %j as it is', (videoName) => {
    const parsed = parseCreateVideo({ ...minimalBody, videoName })
    expect(parsed.ok && parsed.value.videoName).toBe(videoName)
  })

  it('keeps __proto__ in metadata as a property of its own, and pollutes nothing', () => {
    const body: unknown = JSON.parse(`{"fileUrl":"${fileUrl}","metadata":{"__proto__":{"x":1}}}`)
    const parsed = parseCreateVideo(body)
    expect(parsed.ok && JSON.stringify(parsed.value.metadata)).toBe('{"__proto__":{"x":1}}')
    expect('x' in {}).toBe(false)
  })

  it('refuses __proto__ everywhere else', () => {
    const proto = '"__proto__":{"compressionQuality":1,"anchor":"center"}'
    const image = `{"type":"image","url":"${fileUrl}","position":{${proto}}}`
    const text = `{"fileUrl":"${fileUrl}",${proto},"elements":[${image}]}`
    expect(faultyFields(JSON.parse(text)).sort()).toEqual([
      '__proto__',
      'elements[0].position.__proto__',
    ])
  })

  it('keeps addresses as they were sent', () => {
    const parsed = parseCreateVideo({ fileUrl: 'HTTPS://Example.COM/a/../b' })
    expect(parsed.ok && parsed.value.fileUrl).toBe('HTTPS://Example.COM/a/../b')
  })
})

describe('uploadVideo', () => {
  it('needs nothing, and never combines', () => {
    expect(uploadVideo.parse({}).combine).toBe(false)
    expect(uploadVideo.safeParse({ combine: false }).success).toBe(true)
    expect(uploadVideo.safeParse({ combine: true }).success).toBe(false)
  })
})

describe('changeVideo', () => {
  it('takes a name, metadata or both, and nothing else', () => {
    const takes = (change: object) => changeVideo.safeParse(change).success
    expect(takes({ videoName: 'New' })).toBe(true)
    expect(takes({ metadata: { order: 1 } })).toBe(true)
    expect(takes({ videoName: 'New', metadata: {} })).toBe(true)
    expect(takes({})).toBe(false)
    expect(takes({ videoName: '' })).toBe(false)
    expect(takes({ metadata: [] })).toBe(false)
    expect(takes({ metadata: { a: 'x'.repeat(2048) } })).toBe(false)
    expect(takes({ videoName: 'New', status: 'failed' })).toBe(false)
  })
})
