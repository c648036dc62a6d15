import { describe, expect, it } from 'vitest'
import { colorDistance, firstFrame } from '../../../support/containers/films/frame-pixels.ts'
import { savedOutput, useOutputs } from '../../../support/containers/outputs.ts'
import { probed } from '../../../support/containers/run-tool.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'

const { made, failed } = useOutputs()

type Probed = {
  format: { format_name: string; duration: string; tags?: Record<string, string> }
  streams: {
    codec_name: string
    codec_type: string
    width?: number
    height?: number
    avg_frame_rate?: string
    nb_frames?: string
  }[]
}

const probe = async (file: string) => probed<Probed>(file, '-show_format', '-show_streams')

describe('renderResults', () => {
  it('makes several shapes and sounds of one edit, in the order of the request', async () => {
    const file = await makeVideo({ seconds: 3, size: '160x90' })
    const { receiver, end } = await made([file], {
      removeSegments: [{ startTime: 0, endTime: 1 }],
      compressionQuality: 40,
      outputs: [
        { name: 'podcast', outputFormat: 'mp3' },
        { name: 'web' },
        { name: 'phone', aspectRatio: '9:16', resizeMode: 'contain', backgroundColor: '#FF0000' },
        { name: 'old', outputFormat: 'webm', compressionQuality: 30 },
      ],
    })
    expect(end).toMatchObject({
      type: 'succeeded',
      outputs: [
        { kind: 'output-podcast' },
        { kind: 'final' },
        { kind: 'output-phone' },
        { kind: 'output-old' },
        { kind: 'thumbnail' },
      ],
      named: [
        { name: 'podcast', kind: 'output-podcast', format: 'mp3' },
        { name: 'web', kind: 'final', format: 'mp4', width: 160, height: 90 },
        { name: 'phone', kind: 'output-phone', format: 'mp4', width: 160, height: 284 },
        { name: 'old', kind: 'output-old', format: 'webm', width: 160, height: 90 },
      ],
      videoMetadata: { width: 160, height: 90 },
    })
    const phone = await savedOutput(receiver, 'output-phone', 'mp4')
    const facts = await probe(phone)
    expect(facts.streams.find(({ codec_type: type }) => type === 'video')).toMatchObject({
      width: 160,
      height: 284,
    })
    expect(Number(facts.format.duration)).toBeCloseTo(2, 0)
    const picture = await firstFrame(phone)
    expect(colorDistance(picture.at(80, 10), [255, 0, 0])).toBeLessThan(12)
    const sound = await probe(await savedOutput(receiver, 'output-podcast', 'mp3'))
    expect(sound.streams.map(({ codec_name: codec }) => codec)).toEqual(['mp3', 'mjpeg'])
    expect(sound.format.tags).toMatchObject({ title: 'Talk of the town' })
    expect(Math.abs(Number(sound.format.duration) - 2)).toBeLessThan(0.1)
  })

  it('makes exact sizes and rates for as long as the source, and warns where a picture becomes larger', async () => {
    const file = await makeVideo({ seconds: 2, size: '160x90' })
    const outputs = [
      { name: 'few', fps: 12.5, width: 80 },
      { name: 'film', fps: '24000/1001', width: 60, height: 80, resizeMode: 'stretch' },
      { name: 'many', fps: 50, outputFormat: 'mov', height: 180 },
      { name: 'cut', fps: 29.97 },
    ]
    const { receiver, end } = await made([file], {
      removeSegments: [{ startTime: 0.4, endTime: 0.8 }],
      compressionQuality: 40,
      outputs,
    })
    const larger =
      'width and height: 320 × 180 is larger than the source, which adds bytes and no detail.'
    expect(end).toMatchObject({
      type: 'succeeded',
      named: [
        { name: 'few', width: 80, height: 46, warnings: [] },
        { name: 'film', width: 60, height: 80, warnings: [] },
        { name: 'many', width: 320, height: 180, warnings: [larger] },
        { name: 'cut', width: 160, height: 90, warnings: [] },
      ],
    })
    const film = await firstFrame(await savedOutput(receiver, 'output-film', 'mp4'))
    expect([film.width, film.height]).toEqual([60, 80])
    const rates = { few: ['25/2', '20'], film: ['24000/1001', '38'], many: ['50/1', '80'] }
    const all = { ...rates, cut: ['30000/1001', '48'] }
    for (const [i, [name, expected]] of Object.entries(all).entries()) {
      const kind = i === 0 ? 'final' : (`output-${name}` as const)
      const { streams } = await probe(await savedOutput(receiver, kind, i === 2 ? 'mov' : 'mp4'))
      const [picture] = streams.filter(({ codec_type: type }) => type === 'video')
      expect([picture?.avg_frame_rate, picture?.nb_frames]).toEqual(expected)
    }
  })

  it('ends a sound with its film, whatever fills its last packet', async () => {
    const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-ar', '8000']
    const file = await makeVideo({ seconds: 2, size: '160x90', coding })
    const { receiver } = await made([file], { outputs: [{ name: 'wav', outputFormat: 'wav' }] })
    const { format } = await probe(await savedOutput(receiver, 'output-wav', 'wav'))
    expect(Number(format.duration)).toBeCloseTo(2, 4)
  })

  it('makes every kind of sound alone, without a video', async () => {
    const file = await makeVideo({ seconds: 1 })
    const formats = { mp3: 'mp3', m4a: 'aac', wav: 'pcm_s16le', flac: 'flac', ogg: 'opus' }
    const { receiver, end } = await made([file, file], {
      normalizeAudio: false,
      outputs: Object.keys(formats).map((name) => ({ name, outputFormat: name })),
    })
    expect(end.warnings).toEqual([])
    expect(end.videoMetadata).toBeUndefined()
    for (const [format, codec] of Object.entries(formats)) {
      const { streams, format: held } = await probe(
        await savedOutput(receiver, `output-${format}`, format),
      )
      expect(streams.map(({ codec_name: name }) => name)).toEqual([codec])
      expect(Math.abs(Number(held.duration) - 2)).toBeLessThan(0.1)
    }
  })

  it('fails with the name of the output whose source has no sound', async () => {
    const file = await makeVideo({ seconds: 1, tone: null })
    const end = await failed([file], {
      outputs: [{ name: 'web' }, { name: 'podcast', outputFormat: 'mp3' }],
    })
    expect(end).toMatchObject({
      type: 'failed',
      reason: 'nothing_left',
      message:
        'outputs[1] (podcast): The source has no sound, so no file of its sound can be made.',
      retryable: false,
    })
  })
})
