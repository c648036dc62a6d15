import { describe, expect, it } from 'vitest'
import { makeFile } from '../../support/node/fixtures.ts'
import { renderVideo } from '../../support/containers/films/render-video.ts'
import { align, samplesOf } from '../../support/containers/sound/samples.ts'
import { probe } from '../../support/containers/run-tool.ts'
import { campaign } from '../../support/node/campaign.ts'

const rate = 16_000
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const noise = 'anoisesrc=d=6:r=48000:a=0.2:seed=5,lowpass=f=3000'
const picture = 'testsrc2=size=64x64:rate=25:duration=6'
const half = [{ startTime: 2, endTime: 3 }]

const lavfi = (source: string): string[] => ['-f', 'lavfi', '-i', source]
const video = async (args: readonly string[]): Promise<string> => makeFile('mp4', args)

/** How late `result` plays what the noise has at `seconds`. */
async function lateness(file: string, seconds: number, expectedAt: number): Promise<number> {
  const original = await samplesOf(await makeFile('wav', lavfi(noise)), rate)
  const result = await samplesOf(file, rate)
  const compared = { length: rate / 4, reach: rate / 5 }
  const found = align(original, seconds * rate, result, Math.round(expectedAt * rate), compared)
  expect(found.likeness).toBeGreaterThan(0.8)
  return found.lag / rate
}

describe('prepareSound', () => {
  it('keeps a sound in its place if it begins after its picture', async () => {
    const late = await video([
      ...lavfi(picture),
      ...['-itsoffset', '0.7', ...lavfi(noise), ...h264, '-c:a', 'aac', '-t', '6'],
    ])
    const cut = await renderVideo([{ file: late }], { removeSegments: half })
    expect(Math.abs(await lateness(cut.file, 0.5, 1.2))).toBeLessThan(0.02)
    expect(Math.abs(await lateness(cut.file, 3, 2.7))).toBeLessThan(0.02)
    const cleaned = await renderVideo([{ file: late }], { normalizeAudio: true })
    expect(cleaned.plan.video).toBe('copy')
    expect(Math.abs(await lateness(cleaned.file, 3, 3.7))).toBeLessThan(0.02)
  })

  campaign('keeps a sound in its place if it begins before its picture', async () => {
    const late = await video([
      ...['-itsoffset', '0.6', ...lavfi(picture)],
      ...[...lavfi(noise), ...h264, '-c:a', 'aac'],
    ])
    const cut = await renderVideo([{ file: late }], { removeSegments: half })
    expect(Math.abs(await lateness(cut.file, 1, 1))).toBeLessThan(0.02)
    expect(Math.abs(await lateness(cut.file, 4, 3))).toBeLessThan(0.02)
  })

  campaign(
    'fills up a sound that ends early, and holds the picture while a sound continues',
    async () => {
      const short = await video([...lavfi(picture), ...lavfi('sine=d=4'), ...h264, '-c:a', 'aac'])
      const long = await video([
        ...lavfi('testsrc2=size=64x64:rate=25:duration=4'),
        ...[...lavfi(noise), ...h264, '-c:a', 'aac'],
      ])
      for (const file of [short, long]) {
        const { streams } = await probe(
          (await renderVideo([{ file }], { removeSegments: half })).file,
        )
        const [shown, heard] = streams.map((stream) => Number(stream['duration']))
        expect(shown).toBeCloseTo(5, 1)
        expect(Math.abs((heard ?? 0) - (shown ?? 0))).toBeLessThan(0.04)
      }
    },
  )

  campaign(
    'converts 5.1 and 8 kHz mono to stereo, and uses the first of several tracks',
    async () => {
      const surround = await video([
        ...lavfi(picture),
        ...lavfi('sine=f=300:d=6,pan=5.1|FC=c0|FL=0.5*c0|FR=0.5*c0'),
        ...[...h264, '-c:a', 'aac'],
      ])
      const phone = await video([
        ...lavfi(picture),
        ...[...lavfi('sine=f=300:d=6:r=8000'), ...h264, '-c:a', 'aac', '-ac', '1'],
      ])
      const several = await video([
        ...[...lavfi(picture), ...lavfi('sine=f=300:d=6'), ...lavfi('anoisesrc=d=6')],
        ...['-map', '0', '-map', '1', '-map', '2', ...h264, '-c:a', 'aac'],
      ])
      const tone = Float32Array.from({ length: rate }, (_, i) =>
        Math.sin((600 * Math.PI * i) / rate),
      )
      for (const file of [surround, phone, several]) {
        const result = await renderVideo([{ file }], { removeSegments: half })
        const { streams } = await probe(result.file)
        expect(streams).toHaveLength(2)
        expect(streams[1]).toMatchObject({ channels: 2, sample_rate: '48000' })
        const heard = await samplesOf(result.file, rate)
        expect(
          align(tone, 100, heard, rate, { length: 4_000, reach: 60 }).likeness,
        ).toBeGreaterThan(0.95)
      }
    },
  )

  campaign('decodes no picture and writes no picture file', async () => {
    const file = await video([...lavfi(picture), ...lavfi(noise), ...h264, '-c:a', 'aac'])
    const { tools } = await renderVideo([{ file }], { removeSilence: true, normalizeAudio: true })
    const passes = tools.commands.filter(({ args }) => args.includes('file:sound.f32'))
    expect(passes.map(({ args }) => args.includes('0:0'))).toEqual([false, true])
    // The sound as it is, and as speech models want it.
    const maps = passes[0]?.args.filter((_, i, all) => all[i - 1] === '-map')
    expect(maps).toEqual([expect.stringMatching(/^\[f\d/), expect.stringMatching(/^\[f\d/)])
  })
})
