import { describe, expect, it } from 'vitest'
import {
  changeVideo,
  parseCreateVideo,
  uploadVideo,
} from '../../../worker/contract/options/create-video.ts'
import {
  faultsOf,
  faultyFields,
  faultyFieldsWith,
  minimalBody,
} from '../../support/node/create-faults.ts'

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
    [{}, ['fileUrl']],
    [{ combine: true }, ['fileUrl']],
    [{ fileUrl, files: [file], combine: true }, ['fileUrl', 'files']],
    [{ fileUrl, uploadId: 'u_1' }, ['fileUrl', 'uploadId']],
    [{ files: [file], uploadId: 'u_1', combine: true }, ['files', 'uploadId']],
    [{ fileUrl, files: [file], uploadId: 'u_1' }, ['fileUrl', 'files', 'uploadId']],
    [{ files: [file] }, ['combine']],
    [{ files: [file], combine: false }, ['combine']],
    [{ files: [file], combine: 'true' }, ['combine']],
    [{ fileUrl, combine: true }, ['combine']],
    [{ uploadId: 'u_1', combine: true }, ['combine']],
    [{ files: [], combine: true }, ['files']],
    [{ files: {}, combine: true }, ['files']],
    [{ files: [fileUrl], combine: true }, ['files[0]']],
    [{ files: [{}], combine: true }, ['files[0].url']],
    [{ files: [{ ...file, disableAudio: 'no' }], combine: true }, ['files[0].disableAudio']],
    [{ files: [{ ...file, name: 'a' }], combine: true }, ['files[0].name']],
    [{ uploadId: 'u_' }, ['uploadId']],
    [{ uploadId: '../x' }, ['uploadId']],
  ])('refuses the source %j, naming %j', (body, fields) => {
    expect(faultyFields(body)).toEqual(fields)
  })

  it('counts null as given', () => {
    expect(faultyFields({ fileUrl: null })).toEqual(['fileUrl'])
    expect(faultyFields({ fileUrl, files: null }).sort()).toEqual(['fileUrl', 'files'])
  })

  it('says how many files there may be', () => {
    const fault = { field: 'files', message: 'At most 50 files' }
    expect(faultsOf({ files: Array(51).fill(file), combine: true })).toEqual([fault])
  })

  it('reports faults of single fields and contradictions between fields at once', () => {
    const body = {
      fileUrl: 'ftp://example.com/a',
      files: [file, {}],
      compressionQuality: 0,
      removeSilnce: true,
      elements: [{ type: 'words' }, { type: 'audio', url: fileUrl, zIndex: 1 }],
    }
    expect(faultyFields(body).sort()).toEqual([
      'compressionQuality',
      'elements[0].type',
      'elements[1].zIndex',
      'fileUrl',
      'files',
      'files[1].url',
      'removeSilnce',
    ])
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
