import { describe, expect, it } from 'vitest'
import { countedVideo, shownNumbers } from '../../../support/containers/films/counted-video.ts'
import {
  colorDistance,
  firstFrame,
  framesOf,
} from '../../../support/containers/films/frame-pixels.ts'
import { savedOutput, useOutputs } from '../../../support/containers/outputs.ts'
import { probeStream } from '../../../support/containers/run-tool.ts'
import { makeFile, makeVideo } from '../../../support/node/fixtures.ts'

const { made, failed } = useOutputs()

/** A film of one colour, whose pictures say that they have this matrix. */
async function colored(color: string, matrix: 'bt709' | 'smpte170m'): Promise<string> {
  const tags = ['-colorspace', matrix, '-color_primaries', matrix, '-color_trc', matrix]
  return makeFile('mp4', [
    ...['-f', 'lavfi', '-i', `color=c=${color}:s=320x180:r=25:d=0.4`],
    ...['-c:v', 'libx264', '-crf', '1', '-pix_fmt', 'yuv420p', '-color_range', 'tv', ...tags],
  ])
}

describe('pictures that move', () => {
  it('shows as many pictures as it is asked for, each at its time, again and again', async () => {
    const file = await countedVideo({ seconds: 5, fps: 24 })
    const { receiver, end } = await made([file], {
      outputs: [
        { name: 'a', outputFormat: 'gif', startTime: 2, duration: 2 },
        { name: 'b', outputFormat: 'webp', startTime: 2, duration: 2, fps: 8, width: 64 },
      ],
    })
    expect(end).toMatchObject({
      type: 'succeeded',
      warnings: [],
      outputs: [{ kind: 'output-a' }, { kind: 'output-b' }],
      named: [
        { name: 'a', format: 'gif', width: 128, height: 16, duration: 2 },
        { name: 'b', format: 'webp', width: 64, height: 8, duration: 2 },
      ],
    })
    const gif = await savedOutput(receiver, 'output-a', 'gif')
    expect(await shownNumbers(gif)).toEqual(Array.from({ length: 24 }, (_, i) => 48 + 2 * i))
    expect((await probeStream(gif, 'v')).r_frame_rate).toBe('12/1')
    // The block of Netscape says how often it is repeated: 0 is for ever.
    const bytes = receiver.output('output-a')
    const loop = bytes.indexOf('NETSCAPE2.0')
    expect([...bytes.subarray(loop + 11, loop + 16)]).toEqual([3, 1, 0, 0, 0])
    const webp = receiver.output('output-b')
    const anim = webp.indexOf('ANIM')
    expect(webp.readUInt16LE(anim + 12)).toBe(0)
    expect(webp.toString('latin1').split('ANMF').length - 1).toBe(16)
  })

  it('shows a film of one picture that is over before half of one of theirs is', async () => {
    const file = await makeVideo({ seconds: 0.03, size: '64x64', fps: 30, tone: null })
    const { end } = await made([file], {
      outputs: [
        { name: 'a', outputFormat: 'gif' },
        { name: 'b', outputFormat: 'webp' },
        { name: 'c', outputFormat: 'sprite' },
        { name: 'd', fps: 10 },
      ],
    })
    expect(end).toMatchObject({ named: [{}, {}, {}, { width: 64 }] })
  })

  it('has the colours of the film, whichever matrix that has, and may show nothing that moves', async () => {
    const formats = {
      bt709: {
        gif: 'output-gif',
        jpg: 'output-jpg',
        png: 'output-png',
        sprite: 'output-sprite.sheet1',
      },
      smpte170m: { gif: 'output-gif', jpg: 'output-jpg' },
    } as const
    for (const matrix of ['bt709', 'smpte170m'] as const) {
      const file = await colored('0xD02060', matrix)
      const seen = (await firstFrame(file)).at(80, 40)
      const still = matrix === 'bt709' ? [{ duration: 0.1 }, {}] : []
      const { receiver, end } = await made([file], {
        outputs: [
          ...Object.keys(formats[matrix]).map((name) => ({ name, outputFormat: name })),
          ...still.map((asked, i) => ({ ...asked, name: `webp${i}`, outputFormat: 'webp' })),
        ],
      })
      expect(end.warnings).toEqual([])
      for (const [format, kind] of Object.entries(formats[matrix])) {
        const saved = await savedOutput(receiver, kind, format === 'sprite' ? 'jpg' : format)
        expect(colorDistance((await firstFrame(saved)).at(80, 40), seen), kind).toBeLessThan(4)
      }
    }
  })

  it('holds the first minute of a longer film, and says so', async () => {
    const file = await makeVideo({ seconds: 62, size: '64x64', fps: 2, tone: null })
    const { end } = await made([file], {
      outputs: [{ name: 'a', outputFormat: 'webp', fps: 2 }],
    })
    expect(end).toMatchObject({
      type: 'succeeded',
      named: [{ duration: 60 }],
      warnings: ['outputs (a): duration: webp holds at most 60 seconds; these are the first ones.'],
    })
  })
})

describe('stills', () => {
  it('shows the pictures of its moments, each in a file', async () => {
    const file = await countedVideo({ seconds: 12, fps: 25, sound: null })
    const { receiver, end } = await made([file], {
      removeSegments: [{ startTime: 3, endTime: 6 }],
      outputs: [
        { name: 'web', compressionQuality: 50 },
        { name: 'shots', outputFormat: 'png', times: [0, 4.99, 0, 8.5] },
        { name: 'poster', outputFormat: 'jpg', times: [7.001, 0, 7.001] },
      ],
    })
    expect(end).toMatchObject({
      type: 'succeeded',
      warnings: [],
      named: [
        { name: 'web', kind: 'final' },
        {
          ...{ name: 'shots', kind: 'output-shots', format: 'png', width: 128, height: 16 },
          files: ['output-shots.2', 'output-shots.3', 'output-shots.4'],
        },
        { name: 'poster', kind: 'output-poster', format: 'jpg' },
      ],
    })
    const kinds = ['output-shots', 'output-shots.2', 'output-shots.3', 'output-shots.4'] as const
    const numbers = []
    for (const kind of kinds)
      numbers.push(...(await shownNumbers(await savedOutput(receiver, kind, 'png'))))
    expect(numbers).toEqual([0, 4 * 25 + 24 + 75, 0, 8 * 25 + 12 + 75])
    const poster = await savedOutput(receiver, 'output-poster', 'jpg')
    expect(await shownNumbers(poster)).toEqual([250])
    for (const [kind, number] of [
      ['output-poster.2', 0],
      ['output-poster.3', 250],
    ] as const)
      expect(await shownNumbers(await savedOutput(receiver, kind, 'jpg'))).toEqual([number])
    const { commands } = end.trace
    const coded = commands.filter(({ args }) => /^file:still.*jpg$/.test(args.at(-1) ?? ''))
    expect(coded).toHaveLength(1)
    expect(await probeStream(poster, 'v')).toMatchObject({ pix_fmt: 'yuvj420p', color_range: 'pc' })
  })

  it('shows what stands at a moment of a film without a steady rate', async () => {
    const file = await countedVideo({ seconds: 10, fps: 30, isVariable: true })
    const { receiver } = await made([file], {
      outputs: [{ name: 'shots', outputFormat: 'png', times: [3.34, 3.3667, 8] }],
    })
    const kinds = ['output-shots', 'output-shots.2', 'output-shots.3'] as const
    const numbers = []
    for (const kind of kinds)
      numbers.push(...(await shownNumbers(await savedOutput(receiver, kind, 'png'))))
    // Picture 101 is left out, so that 100 stands for two.
    expect(numbers).toEqual([100, 100, 240].map((n) => (n % 7 === 3 ? n - 1 : n)))
  })

  it('fails with the moment that comes after the end', async () => {
    const file = await makeVideo({ seconds: 1 })
    const end = await failed([file], {
      outputs: [{ name: 'shots', outputFormat: 'jpg', times: [0, 1.5] }],
    })
    expect(end).toMatchObject({
      type: 'failed',
      reason: 'nothing_left',
      message: 'outputs[0] (shots): times[1]: the finished video ends at 1 s, before this moment.',
    })
  })
})

describe('a sprite', () => {
  it('has the pictures of even stretches on sheets, and their places', async () => {
    const file = await countedVideo({ seconds: 30, fps: 25 })
    const { receiver, end } = await made([file], {
      outputs: [{ name: 'line', outputFormat: 'sprite', interval: 0.25 }],
    })
    expect(end).toMatchObject({
      type: 'succeeded',
      warnings: [],
      named: [
        {
          ...{ name: 'line', kind: 'output-line', format: 'vtt', width: 128, height: 16 },
          files: ['output-line.sheet1', 'output-line.sheet2'],
        },
      ],
    })
    const cues = String(receiver.output('output-line')).split('\n\n').slice(1)
    expect(cues).toHaveLength(120)
    expect(cues[0]).toBe('00:00:00.000 --> 00:00:00.250\nsheet1.jpg#xywh=0,0,128,16')
    expect(cues[111]).toBe('00:00:27.750 --> 00:00:28.000\nsheet2.jpg#xywh=128,16,128,16')
    const sheets = await Promise.all(
      (['output-line.sheet1', 'output-line.sheet2'] as const).map(async (kind) =>
        firstFrame(await savedOutput(receiver, kind, 'jpg')),
      ),
    )
    expect(sheets.map(({ width, height }) => [width, height])).toEqual([
      [1280, 160],
      [1280, 32],
    ])
    for (const [i, cue] of cues.entries()) {
      const [, sheet = 0, x = 0, y = 0] = (/sheet(\d+)\.jpg#xywh=(\d+),(\d+)/.exec(cue) ?? []).map(
        Number,
      )
      const picture = sheets[sheet - 1]
      const bits = Array.from({ length: 16 }, (_, bit) => bit)
      const number = bits
        .filter((bit) => (picture?.at(x + bit * 8 + 4, y + 8)[0] ?? 0) > 127)
        .reduce((sum, bit) => sum + 2 ** bit, 0)
      expect(number).toBe(Math.floor((i + 0.5) * 0.25 * 25 + 1e-6))
    }
  })

  it('shows clips that are joined without any cut', async () => {
    const clips = [await makeVideo({ seconds: 1 }), await makeVideo({ seconds: 1, fps: 12 })]
    const { end } = await made(clips, {
      outputs: [{ name: 'line', outputFormat: 'sprite', interval: 0.5 }],
    })
    expect(end.warnings).toEqual([])
  })

  it('has about a hundred small pictures, with the shape of the film', async () => {
    const file = await makeVideo({ seconds: 55, size: '180x320', fps: 5, tone: null })
    const { receiver, end } = await made([file], {
      outputs: [
        { name: 'line', outputFormat: 'sprite' },
        { name: 'wide', outputFormat: 'sprite', aspectRatio: '16:9', width: 96, interval: 20 },
      ],
    })
    expect(end).toMatchObject({
      named: [
        { width: 90, height: 160, files: ['output-line.sheet1'] },
        { width: 96, height: 54 },
      ],
    })
    expect(String(receiver.output('output-line')).match(/xywh/g)).toHaveLength(92)
    expect(String(receiver.output('output-wide')).match(/xywh/g)).toHaveLength(3)
    const sheets = await framesOf(await savedOutput(receiver, 'output-line.sheet1', 'jpg'))
    expect(sheets.map(({ width, height }) => [width, height])).toEqual([[900, 1600]])
  })
})
