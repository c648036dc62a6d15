import { expect, it } from 'vitest'
import { makeFile } from '../../support/node/fixtures.ts'
import { useOutputs } from '../../support/containers/outputs.ts'
import { renderVideo } from '../../support/containers/films/render-video.ts'
import { probe } from '../../support/containers/run-tool.ts'
import { samplesOf } from '../../support/containers/sound/samples.ts'
import { amplitudeAt } from '../../support/containers/sound/sound-files.ts'
import { campaign } from '../../support/node/campaign.ts'

const { made } = useOutputs()

const tone = async (hertz: number, layout: string) =>
  makeFile('ac3', [
    '-f',
    'lavfi',
    '-i',
    `sine=${hertz}:d=2:r=48000,aformat=channel_layouts=${layout}`,
  ])

/** A picture of four seconds, and beside it a sound that goes from 440 Hz to 880 Hz midway. */
async function changing(before: string, after: string): Promise<string> {
  const parts = [await tone(440, before), await tone(880, after)]
  const sound = await makeFile('ac3', ['-i', `concat:${parts.join('|')}`, '-c', 'copy'])
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25:d=4', '-i', sound]
  return makeFile('mp4', [...picture, '-c:v', 'libx264', '-c:a', 'copy'])
}

it.each([
  ['stereo', '5.1'],
  ['5.1', 'stereo'],
  ['mono', 'stereo'],
])(
  'keeps a sound in its place if it changes from %s to %s',
  { tags: 'campaign' },
  async (before, after) => {
    const file = await changing(before, after)
    for (const asked of [
      { normalizeAudio: true },
      { removeSegments: [{ startTime: 0, endTime: 1 }] },
    ]) {
      const result = (await renderVideo([{ file }], asked)).file
      const cut = 'removeSegments' in asked ? 1 : 0
      expect(Number((await probe(result)).format['duration'])).toBeCloseTo(4 - cut, 0)
      const samples = await samplesOf(result)
      const at = (seconds: number, hertz: number) =>
        amplitudeAt(samples, 16_000, seconds - cut, { hertz, windowSeconds: 0.2 })
      expect(at(1.2, 440)).toBeGreaterThan(10 * at(1.2, 880))
      expect(at(2.3, 880)).toBeGreaterThan(10 * at(2.3, 440))
      expect(at(2.3, 880)).toBeGreaterThan(0.01)
    }
  },
)

it('does not begin again to count the pictures of such a film where its sound changes', async () => {
  const file = await changing('5.1', 'stereo')
  const { file: result, plan } = await renderVideo([{ file }], { speed: 0.5 })
  const { streams } = await probe(result)
  expect(Number(streams[0]?.['nb_frames'])).toBe(Math.round(plan.durationSeconds * 25))
})

it('finds such a sound where it was stored again, to compare that of the film with it', async () => {
  const { end } = await made([await changing('5.1', 'stereo')], { outputFormat: 'avi' })
  const { checks = [], trace } = end
  expect(checks.filter(({ result }) => result !== 'passed')).toEqual([])
  expect(trace.commands.filter(({ exitCode }) => exitCode !== 0)).toHaveLength(0)
})

campaign(
  'keeps such a sound in its place in clips that are joined, whether copied or encoded',
  async () => {
    const file = await changing('stereo', '5.1')
    for (const compressionQuality of [100, 90]) {
      const joined = await renderVideo([{ file }, { file }], { compressionQuality })
      expect(joined.plan.video).toBe(compressionQuality === 100 ? 'copy' : 'encode')
      await expectTones(joined.file, [440, 880, 440, 880])
    }
  },
)

campaign('keeps such a sound in its place in AVI, and under another sound', async () => {
  const file = await changing('5.1', 'stereo')
  await expectTones((await renderVideo([{ file }], { outputFormat: 'avi' })).file, [440, 880])
  const music = await makeFile('mp3', ['-f', 'lavfi', '-i', 'sine=3000:d=1:r=48000'])
  const elements = [{ type: 'audio', url: 'https://example.com/a.mp3', effects: { volume: 0.05 } }]
  await expectTones((await renderVideo([{ file }], { elements }, [music])).file, [440, 880])
})

campaign('keeps such a sound in its place if it begins after its picture', async () => {
  const file = await changing('stereo', '5.1')
  const shifted = ['-i', file, '-itsoffset', '0.5', '-i', file, '-map', '0:v', '-map', '1:a']
  const late = await makeFile('mp4', [...shifted, '-c', 'copy'])
  const joined = { sources: [{ file: late }, { file }], asked: { compressionQuality: 90 } }
  for (const { sources, asked } of [
    joined,
    { sources: [{ file: late }], asked: { normalizeAudio: true } },
  ]) {
    const samples = await samplesOf((await renderVideo(sources, asked)).file)
    const at = (seconds: number, hertz: number) =>
      amplitudeAt(samples, 16_000, seconds, { hertz, windowSeconds: 0.1 })
    expect(at(0.2, 440)).toBeLessThan(0.001)
    expect(at(0.6, 440)).toBeGreaterThan(0.01)
    expect(at(2.35, 440)).toBeGreaterThan(10 * at(2.35, 880))
    expect(at(2.6, 880)).toBeGreaterThan(10 * at(2.6, 440))
  }
})

/** One for every two seconds. */
async function expectTones(file: string, tones: readonly number[]): Promise<void> {
  expect(Number((await probe(file)).format['duration'])).toBeCloseTo(tones.length * 2, 0)
  const samples = await samplesOf(file)
  for (const [i, hertz] of tones.entries()) {
    for (const seconds of [i * 2 + 0.3, i * 2 + 1.5]) {
      const other = hertz === 440 ? 880 : 440
      const at = (tone: number) =>
        amplitudeAt(samples, 16_000, seconds, { hertz: tone, windowSeconds: 0.2 })
      expect(at(hertz), `${seconds} s`).toBeGreaterThan(10 * at(other))
    }
  }
}
