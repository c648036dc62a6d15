import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileInFolder, type OutputKind } from '../../../../worker/contract/job/media-job.ts'
import {
  readMaster,
  readMediaList,
  type MediaList,
} from '../../../support/containers/films/hls-reader.ts'
import { useOutputs } from '../../../support/containers/outputs.ts'
import { probed } from '../../../support/containers/run-tool.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'

const { made } = useOutputs()

type Streamed = { readonly folder: string; readonly files: ReadonlyMap<string, Buffer> }

async function run(sources: readonly string[], options: Record<string, unknown>) {
  const { receiver, end } = await made(sources, options)
  const save = async (name: string): Promise<Streamed> => {
    const folder = await aFolder()
    const saved = new Map<string, Buffer>()
    const main: OutputKind = `output-${name}`
    for (const { kind } of end.outputs) {
      if (kind !== main && !kind.startsWith(`${main}.`)) continue
      const { extension = '' } = receiver.outputRequests.find((one) => one.kind === kind) ?? {}
      const file = fileInFolder(kind, extension)
      saved.set(file, receiver.output(kind))
      await writeFile(path.join(folder, file), receiver.output(kind))
    }
    return { folder, files: saved }
  }
  return { receiver, end, save }
}

function textOf({ files }: Streamed, name: string): string {
  return files.get(name)?.toString() ?? ''
}

type Packet = { pts_time: string; dts_time: string; flags: string; pos: string }

async function packetsOf({ folder }: Streamed, file: string): Promise<Packet[]> {
  const asked = ['-show_entries', 'packet=pts_time,dts_time,flags,pos']
  return (await probed<{ packets: Packet[] }>(path.join(folder, file), ...asked)).packets
}

/** Whether each segment is one `moof` and its `mdat`, or for a sound several of them, and all of the file is listed. */
function expectBoxes({ files }: Streamed, file: string, list: MediaList): void {
  const bytes = files.get(file) ?? Buffer.alloc(0)
  let end = list.headBytes ?? 0
  for (const segment of list.segments) {
    expect(segment.offset).toBe(end)
    end += segment.bytes
    const types: string[] = []
    for (let at = segment.offset; at < end; at += bytes.readUInt32BE(at)) {
      types.push(bytes.toString('latin1', at + 4, at + 8))
    }
    expect(new Set(types.map((type, i) => `${type}${i % 2}`))).toEqual(new Set(['moof0', 'mdat1']))
  }
  expect(bytes.toString('latin1', end + 4, end + 8)).toBe('mfra')
  expect(bytes.readUInt32BE(end)).toBe(bytes.length - end)
}

const lengthOf = ({ segments }: MediaList) =>
  segments.reduce((sum, { seconds }) => sum + seconds, 0)

describe('renderStream', () => {
  it('makes every size with key pictures at the same times, and one sound for all', async () => {
    const file = await makeVideo({ seconds: 9, size: '426x240', fps: '30000/1001' })
    const { end, save } = await run([file], {
      compressionQuality: 40,
      outputs: [{ name: 'stream', outputFormat: 'hls', heights: [240, 1080, 144] }],
    })
    expect(end).toMatchObject({
      videoMetadata: { width: 426, height: 240 },
      named: [
        {
          ...{ name: 'stream', kind: 'output-stream', format: 'hls' },
          ...{ width: 426, height: 240 },
          warnings: [
            'heights: 1080 left out, because the film is smaller; its largest size is 426 × 240.',
          ],
        },
      ],
    })
    expect(end.outputs.some(({ kind }) => kind === 'thumbnail')).toBe(true)
    const stream = await save('stream')
    const master = readMaster(textOf(stream, 'index.m3u8'))
    const sizes = master.variants.map(({ attributes }) => attributes['RESOLUTION'])
    expect(sizes).toEqual(['426x240', '256x144'])
    expect(master.variants[0]?.attributes).toMatchObject({ 'FRAME-RATE': '29.970' })
    for (const { uri } of master.variants) {
      const list = readMediaList(textOf(stream, uri))
      expect(list.target).toBe(4)
      expect(list.segments.map(({ seconds }) => seconds)).toEqual(
        [4.004, 4.004, 1.001].map((one): unknown => expect.closeTo(one, 1)),
      )
      const film = uri.replace('list.m3u8', '.mp4')
      expectBoxes(stream, film, list)
      const packets = await packetsOf(stream, film)
      const keys = packets.filter(({ flags }) => flags.startsWith('K'))
      const times = keys.map(({ pts_time: time }) => Number(time))
      expect(times).toEqual([0, 4.004, 8.008].map((one): unknown => expect.closeTo(one, 3)))
      expect(packets[0]?.flags).toMatch(/^K/)
    }
    const sound = readMediaList(textOf(stream, 'audiolist.m3u8'))
    expectBoxes(stream, 'audio.mp4', sound)
    expect(sound.segments.length).toBe(3)
    expect(lengthOf(sound)).toBeCloseTo(9, 1)
    const [heard] = await packetsOf(stream, 'audio.mp4')
    expect(Number(heard?.pts_time)).toBe(0)
    const keys = readMediaList(textOf(stream, 'keys.m3u8'))
    expect(keys.isKeysOnly).toBe(true)
    expect(keys.segments.map(({ uri }) => uri)).toEqual(['v144.mp4', 'v144.mp4', 'v144.mp4'])
  })

  it('names the sizes of a tall film without sound by its width, and lists captions', async () => {
    const file = await makeVideo({ seconds: 5, size: '270x480', tone: null })
    const { end, save } = await run([file], {
      flip: 'horizontal',
      captions: {
        source: { text: 'WEBVTT\n\n00:01.000 --> 00:02.000\nGuten Tag\n' },
        ...{ language: 'de', embed: true },
      },
      removeSegments: [{ startTime: 0, endTime: 0.6 }],
      outputs: [{ name: 'phone', outputFormat: 'hls', heights: [240, 144] }, { name: 'web' }],
    })
    const plan: unknown = expect.objectContaining({ steps: ['flip', 'cut-segments', 'resize'] })
    const outputs: unknown = expect.arrayContaining([
      expect.objectContaining({ name: 'phone', plan }),
    ])
    expect(end).toMatchObject({ trace: { plan: { outputs } } })
    expect(end).toMatchObject({
      warnings: [],
      videoMetadata: { width: 270, height: 480 },
      named: [
        { name: 'phone', width: 240, height: 426 },
        { name: 'web', kind: 'final' },
      ],
    })
    const stream = await save('phone')
    const master = readMaster(textOf(stream, 'index.m3u8'))
    const sizes = master.variants.map(({ attributes }) => attributes['RESOLUTION'])
    expect(sizes).toEqual(['240x426', '144x256'])
    expect(master.media).toMatchObject([{ TYPE: 'SUBTITLES', LANGUAGE: 'de', NAME: 'Deutsch' }])
    const film = readMediaList(textOf(stream, 'v240list.m3u8'))
    expect(lengthOf(film)).toBeCloseTo(4.4, 3)
    const captions = readMediaList(textOf(stream, 'captionslist.m3u8'))
    expect(lengthOf(captions)).toBeCloseTo(4.4, 3)
    expect(textOf(stream, 'captions.vtt')).toContain('00:00:00.400 --> 00:00:01.400')
    expect(textOf(stream, 'captions.vtt')).toMatch(/^WEBVTT\nX-TIMESTAMP-MAP=/)
    expect(stream.files.has('audio.mp4')).toBe(false)
  })
})
