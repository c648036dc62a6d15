import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureElement } from '../../../containers/ffmpeg/measure-element.ts'
import { makeFile } from '../../support/node/fixtures.ts'
import { plainImage, plainVideo } from '../../support/containers/films/element-files.ts'
import { toneFile } from '../../support/containers/sound/sound-files.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'

async function measure(given: string | Uint8Array, maxSeconds = 100) {
  const context = await aToolContext()
  const target = path.join(context.folder, 'in1')
  if (typeof given === 'string') await copyFile(given, target)
  else await writeFile(target, given)
  const request = { path: 'in1', field: 'elements[2].url', maxSeconds, type: 'audio' } as const
  const facts = await measureElement(context, request)
  if (facts.kind !== 'sound') throw new Error(`It was measured as a ${facts.kind}`)
  return facts
}

const text = (content: string) => new TextEncoder().encode(content)

const sine = ['-f', 'lavfi', '-i', 'sine=d=1']

describe('measureElement of a sound', () => {
  it('measures the decoded length of an MP3, to the sample', async () => {
    const facts = await measure(await toneFile('mp3', 1.234))
    expect(facts).toMatchObject({ kind: 'sound', demuxer: 'mp3' })
    expect(facts.seconds).toBeCloseTo(1.234, 3)
  })

  it('accepts WAV at any sampling rate, and MP3 with a cover', async () => {
    const wav = await toneFile('wav', 2, { channels: 1, sampleRate: 8_000 })
    expect(await measure(wav)).toEqual({
      ...{ kind: 'sound', demuxer: 'wav', streamIndex: 0, seconds: 2, channels: 1 },
    })
    const cover = ['-i', await plainImage('#ff0000', '600x600')]
    const mapped = ['-map', '0:a', '-map', '1:v', '-c:v', 'copy', '-disposition:v', 'attached_pic']
    const covered = await measure(await makeFile('mp3', [...sine, ...cover, ...mapped]))
    expect(covered.seconds).toBeCloseTo(1, 2)
  })

  it.each([
    ['m4a', 'mov', ['-c:a', 'aac']],
    ['flac', 'flac', []],
    ['ogg', 'ogg', ['-c:a', 'libopus']],
  ])(
    'takes %s, and its sound also where a picture comes first',
    async (format, demuxer, coding) => {
      const seconds = ['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=1.5']
      const facts = await measure(await makeFile(format, [...seconds, ...coding]))
      expect(facts).toMatchObject({ demuxer, streamIndex: 0, channels: 1 })
      // The last frame of AAC is filled up.
      expect(facts.seconds).toBeCloseTo(1.5, 1)
      if (format !== 'm4a') return
      const cover = [
        '-i',
        await plainImage('#ff0000', '60x60', 'jpg'),
        '-map',
        '1:v',
        '-map',
        '0:a',
      ]
      const marked = ['-c:v', 'copy', '-disposition:v', 'attached_pic', ...coding, '-f', 'ipod']
      const covered = await measure(await makeFile(format, [...seconds, ...cover, ...marked]))
      expect(covered.seconds).toBeCloseTo(1.5, 1)
    },
  )

  it('believes the samples, not the header', async () => {
    const bytes = await readFile(await toneFile('wav', 1))
    bytes.writeUInt32LE(0xffffffff, bytes.indexOf('data') + 4)
    expect((await measure(bytes)).seconds).toBeCloseTo(1, 2)
  })

  it('refuses what is not a sound by its bytes', async () => {
    const given = [await plainImage('#ff0000', '16x16'), await plainVideo()]
    const bytes = [text('#EXTM3U\n/etc/hostname\n'), text('nonsense'), text('')]
    const all = await Promise.allSettled([...given, ...bytes].map(async (file) => measure(file)))
    expect(all.map((result) => result.status === 'rejected' && String(result.reason))).toEqual(
      ['PNG', 'MP4', 'HLS playlist', undefined, 'an empty file'].map((found) => {
        const what = found === undefined ? '' : ` (found: ${found})`
        return `JobError: elements[2].url: the file is not a sound${what}. Known are MP3, M4A, WAV, FLAC, OGG and Opus.`
      }),
    )
  })

  it('refuses a sound that cannot be decoded', async () => {
    const wav = (await readFile(await toneFile('wav', 1))).subarray(0, 44)
    const mp3 = Buffer.concat([text('ID3\x04\0\0\0\0\0\x0a'), Buffer.alloc(5_000, 'x')])
    for (const bytes of [wav, mp3]) {
      await expect(measure(bytes)).rejects.toMatchObject({
        reason: 'element_unusable',
        message: expect.stringMatching(/^elements\[2\]\.url: the (sound|file) /) as string,
      })
    }
  })

  it('refuses what goes from one channel to two, or to another rate', async () => {
    const plain = ['-write_xing', '0', '-id3v2_version', '0']
    const first = { channels: '1', rate: '48000' }
    for (const then of [
      { channels: '2', rate: '48000' },
      { channels: '1', rate: '44100' },
    ]) {
      const parts = [first, then].map(async ({ channels, rate }) =>
        makeFile('mp3', [...sine, '-ac', channels, '-ar', rate, ...plain]),
      )
      const bytes = await Promise.all(parts.map(async (part) => readFile(await part)))
      await expect(measure(Buffer.concat(bytes))).rejects.toMatchObject({
        reason: 'element_unusable',
        message: expect.stringMatching(
          /^elements\[2\]\.url: the sound changes its number/,
        ) as string,
      })
    }
  })

  it('refuses a sound that is too long', async () => {
    await expect(measure(await toneFile('wav', 2), 1.5)).rejects.toMatchObject({
      reason: 'element_unusable',
      message: 'elements[2].url: the sound is longer than the 1.5 seconds that are allowed.',
    })
  })
})
