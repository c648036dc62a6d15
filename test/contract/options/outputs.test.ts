import { describe, expect, it } from 'vitest'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'

const fileUrl = 'https://example.com/talk.mp4'

function faultsOf(body: object): string[] {
  const parsed = parseCreateVideo({ fileUrl, ...body })
  return parsed.ok ? [] : parsed.faults.map(({ field, message }) => `${field}: ${message}`)
}

describe('outputs', () => {
  it('takes what differs from the request', () => {
    const outputs = [
      { name: 'web' },
      { name: 'phone', aspectRatio: '9:16', captions: { style: 'box' } },
      { name: 'plain', captions: false, outputFormat: 'webm', compressionQuality: 40 },
      { name: 'podcast', outputFormat: 'mp3' },
    ]
    expect(faultsOf({ captions: {}, outputs })).toEqual([])
  })

  it('needs a name for each, and another one for each', () => {
    expect(faultsOf({ outputs: [{ name: 'a b' }] })).toEqual([
      'outputs[0].name: Must be 1 to 40 letters, digits, hyphens and underscores, and begin with a letter or a digit',
    ])
    expect(faultsOf({ outputs: [{ name: 'web' }, { name: 'Web' }] })).toEqual([
      'outputs[1].name: Must differ from the name of outputs[0], also in more than capitals',
    ])
    expect(faultsOf({ outputs: [] })).toEqual(['outputs: Must name at least one output'])
  })

  it('takes a codec that the container takes, and names those if it does not', () => {
    const outputs = [
      { name: 'new', videoCodec: 'av1', maxBytes: 1_000_000, maxBitrate: 500_000 },
      { name: 'mov', outputFormat: 'mov', videoCodec: 'av1' },
      { name: 'podcast', outputFormat: 'mp3', maxBytes: 1_000_000 },
      { name: 'few', maxBytes: 12 },
    ]
    expect(faultsOf({ outputs: outputs.slice(0, 3) })).toEqual([
      'outputs[1].videoCodec: Must be a codec that mov takes: h264, hevc',
      'outputs[2].maxBytes: Not used with mp3, which holds a sound and no picture',
    ])
    expect(faultsOf({ outputs: outputs.slice(3) })).toEqual([
      'outputs[0].maxBytes: Must be at least 10000',
    ])
    expect(faultsOf({ outputs: [{ name: 'many', maxBytes: 1e300 }] })).toEqual([
      'outputs[0].maxBytes: Must be at most 100000000000',
    ])
    expect(
      faultsOf({ outputFormat: 'webm', outputs: [{ name: 'a', videoCodec: 'h264' }] }),
    ).toEqual(['outputs[0].videoCodec: Must be a codec that webm takes: vp9, av1'])
  })

  it('says why a sound takes nothing of a picture', () => {
    const outputs = [{ name: 'podcast', outputFormat: 'mp3', captions: false, aspectRatio: '1:1' }]
    expect(faultsOf({ outputs })).toEqual([
      'outputs[0].aspectRatio: Not used with mp3, which holds a sound and no picture',
      'outputs[0].captions: Not used with mp3, which holds a sound and no picture',
    ])
  })

  it('takes even sides up to 4096, and says what decides the shape', () => {
    expect(faultsOf({ outputs: [{ name: 'web', width: 1280, height: 720 }] })).toEqual([])
    expect(faultsOf({ outputs: [{ name: 'web', width: 641 }] })).toEqual([
      'outputs[0].width: Must be even: players expect pictures with even sides',
    ])
    expect(faultsOf({ outputs: [{ name: 'web', height: 5000 }] })).toEqual([
      'outputs[0].height: Must be from 16 to 4096',
    ])
    const both = { name: 'web', width: 100, height: 100, aspectRatio: '9:16' }
    expect(faultsOf({ outputs: [both] })).toEqual([
      'outputs[0].aspectRatio: Not used with width and height together, which decide the shape',
    ])
    expect(faultsOf({ outputs: [{ name: 'wav', outputFormat: 'wav', width: 100 }] })).toEqual([
      'outputs[0].width: Not used with wav, which holds a sound and no picture',
    ])
  })

  it.each([1, 29.97, 120, '24000/1001', '25'])('takes %s pictures a second', (fps) => {
    expect(faultsOf({ outputs: [{ name: 'web', fps }] })).toEqual([])
  })

  it.each([0, 0.5, 121, -1, '0/1', '1/0', '24001/100', 'film', '25/1/1', ''])(
    'takes no %j pictures a second',
    (fps) => {
      expect(faultsOf({ outputs: [{ name: 'web', fps }] })).toEqual([
        'outputs[0].fps: Must be from 1 to 120, as a number or a fraction such as "24000/1001"',
      ])
    },
  )

  it('changes the look of captions only where there are some', () => {
    const outputs = [{ name: 'phone', captions: { style: 'box' } }]
    expect(faultsOf({ outputs })).toEqual([
      'outputs[0].captions: Needs captions in the request, whose look it changes',
    ])
  })

  it('needs a video for what is made of pictures', () => {
    const outputs = [{ name: 'podcast', outputFormat: 'm4a' }]
    expect(faultsOf({ outputs, enableThumbnail: true })).toEqual([
      'enableThumbnail: Needs a video, and no output is one',
    ])
  })

  it('takes heights of a stream, and nothing that a stream has for each of them', () => {
    const stream = (more: object) =>
      faultsOf({ outputs: [{ name: 'tv', outputFormat: 'hls', ...more }] })
    expect(stream({ heights: [720, 360], fps: 60, aspectRatio: '9:16' })).toEqual([])
    expect(stream({ heights: [480, 1080, 432] })).toEqual([])
    expect(stream({ heights: [720, 360, 660] })).toEqual([
      'outputs[0].heights: Each must differ from the others by at least a tenth',
    ])
    expect(stream({ height: 720, maxBytes: 1e6, fps: 100 })).toEqual([
      'outputs[0].height: Not used with hls, whose sizes are its heights',
      'outputs[0].maxBytes: Not used with hls, each of whose sizes has a rate of its own',
      'outputs[0].fps: Must be at most 60 with hls',
    ])
    expect(faultsOf({ outputs: [{ name: 'web', heights: [720] }] })).toEqual([
      'outputs[0].heights: Needs outputFormat "hls"; other formats have width and height',
    ])
  })
})
