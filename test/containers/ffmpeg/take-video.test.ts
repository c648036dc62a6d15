import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeVideo } from '../../../containers/ffmpeg/take-video.ts'
import { streamBombs } from '../../support/node/bombs/stream-bombs.ts'
import { element } from '../../support/node/bombs/webm-file.ts'
import { campaignAfter } from '../../support/node/campaign.ts'
import { makeVideo } from '../../support/node/fixtures.ts'
import { pictureHashes } from '../../support/containers/run-tool.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '2']

async function take(given: { file: string } | { bytes: Buffer }) {
  const context = await aToolContext()
  const target = path.join(context.folder, 'in0')
  if ('file' in given) await copyFile(given.file, target)
  else await writeFile(target, given.bytes)
  const taken = takeVideo(context, { path: 'in0', field: 'fileUrl', maxSeconds: 100 })
  return { context, taken }
}

type Kind = { extension: string; coding: readonly string[]; becomes: object; isMoved?: boolean }

const kinds: readonly Kind[] = [
  {
    extension: 'ts',
    coding: [...h264, '-c:a', 'aac'],
    becomes: { format: 'mp4', video: { codec: 'h264' }, audio: { codec: 'aac' } },
  },
  {
    extension: 'mkv',
    coding: [...h264, '-c:a', 'pcm_s16le'],
    becomes: { format: 'mp4', video: { codec: 'h264' }, audio: { codec: 'flac' } },
  },
  {
    extension: 'm2ts',
    coding: [...h264, '-c:a', 'ac3', '-mpegts_m2ts_mode', '1'],
    becomes: { format: 'mp4', video: { codec: 'h264' }, audio: { codec: 'ac3' } },
  },
  {
    extension: 'flv',
    coding: ['-c:v', 'flv1', '-c:a', 'libmp3lame'],
    becomes: { format: 'webm', video: { codec: 'flv1' }, audio: { codec: 'mp3' } },
  },
  {
    extension: 'mpg',
    coding: ['-c:v', 'mpeg2video', '-bf', '2', '-c:a', 'mp2'],
    becomes: { format: 'mp4', video: { codec: 'mpeg2video' } },
  },
  {
    extension: 'ogv',
    coding: ['-c:v', 'libtheora', '-c:a', 'libvorbis'],
    becomes: { format: 'webm', video: { codec: 'theora' }, audio: { codec: 'vorbis' } },
  },
  {
    extension: 'mkv',
    coding: ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus'],
    becomes: { format: 'webm', video: { codec: 'vp8' }, audio: { codec: 'opus' } },
    isMoved: false,
  },
]

describe('takeVideo', () => {
  for (const [i, { extension, coding, becomes, isMoved = true }] of kinds.entries()) {
    it(
      `keeps every picture of ${extension} with ${coding[1]}, and holds the source once`,
      { tags: campaignAfter(2, i) },
      async () => {
        const file = await makeVideo({ seconds: 1, extension, coding })
        const { context, taken } = await take({ file })
        const { path: name, facts } = await taken
        expect(facts).toMatchObject(becomes)
        expect(facts.video).toMatchObject({ width: 160, height: 120, hasConstantRate: true })
        expect(facts.video.frameRate).toEqual({ frames: 25, seconds: 1 })
        expect(facts.durationSeconds).toBeCloseTo(1, 0)
        expect(await pictureHashes(path.join(context.folder, name))).toEqual(
          await pictureHashes(file),
        )
        expect(await readdir(context.folder)).toEqual([isMoved ? 'in0-wrapped' : 'in0'])
      },
    )
  }

  it('takes a recording that begins in the middle of a packet and has rubbish in it', async () => {
    const file = await makeVideo({ seconds: 2, extension: 'ts', coding: [...h264, '-g', '10'] })
    const bytes = await readFile(file)
    const middle = Math.floor(bytes.length / 2)
    const broken = [bytes.subarray(100, middle), Buffer.alloc(1_000, 'x'), bytes.subarray(middle)]
    const { taken } = await take({ bytes: Buffer.concat(broken) })
    const { facts } = await taken
    expect(facts.durationSeconds).toBeCloseTo(2, 0)
  })

  it('decodes sound that is too damaged to be copied', async () => {
    const coding = [...h264, '-g', '10', '-c:a', 'aac']
    const bytes = await readFile(await makeVideo({ seconds: 2, extension: 'ts', coding }))
    // Each ADTS header of the sound says which kind of AAC follows.
    for (let at = bytes.indexOf('\xff\xf1', 30_000, 'latin1'); at > 0 && at < 60_000;) {
      bytes[at + 2] = 0xff
      at = bytes.indexOf('\xff\xf1', at + 1, 'latin1')
    }
    const { taken } = await take({ bytes })
    const { facts } = await taken
    expect(facts).toMatchObject({ audio: { codec: 'flac' } })
    expect(facts.durationSeconds).toBeCloseTo(2, 0)
  })

  it('says how much a header promises that the file does not hold', async () => {
    const bytes = await readFile(
      await makeVideo({ seconds: 4, extension: 'mkv', coding: [...h264, '-g', '5'] }),
    )
    const { taken } = await take({ bytes: bytes.subarray(0, Math.round(bytes.length / 2)) })
    const { facts } = await taken
    expect(facts.durationSeconds).toBeLessThan(3)
    expect(facts.promisedSeconds).toBeCloseTo(4, 0)
  })

  it('misses nothing of a file that begins late', async () => {
    for (const [extension, coding] of [
      ['mkv', h264],
      ['webm', ['-c:v', 'libvpx', '-b:v', '50k', '-c:a', 'libopus']],
    ] as const) {
      const late = ['-output_ts_offset', '3', '-avoid_negative_ts', 'disabled']
      const { taken } = await take({
        bytes: await readFile(
          await makeVideo({ seconds: 4, extension, coding: [...coding, ...late] }),
        ),
      })
      const { facts } = await taken
      expect(facts.durationSeconds).toBeCloseTo(4, 0)
      expect(facts.promisedSeconds).toBeUndefined()
    }
  })

  it('refuses what claims too much before any program opens it', async () => {
    const matroska = element(0x1a45dfa3, element(0x4282, Buffer.from('matroska')))
    const attachment = element(0x61a7, element(0x466e, Buffer.from('a.ttf')))
    const attachments = element(0x1941a469, ...Array.from({ length: 500 }, () => attachment))
    const mkv = Buffer.concat([matroska, element(0x18538067, attachments)])
    const all = {
      ...streamBombs(),
      'five hundred attachments of MKV': { bytes: mkv, says: /101 streams/ },
    }
    for (const [name, { bytes, says }] of Object.entries(all)) {
      const { context, taken } = await take({ bytes })
      const error = await taken.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error, name).toMatchObject({
        reason: 'source_too_large',
        message: expect.stringMatching(says) as string,
      })
      expect(context.commands, name).toEqual([])
    }
  })
})
