import { describe, expect, it } from 'vitest'
import { packetHashes } from '../../support/containers/run-tool.ts'
import { ebur128 } from '../../support/containers/sound/ebur128.ts'
import { renderVideo } from '../../support/containers/films/render-video.ts'
import {
  silence,
  speech,
  videoWithSound,
  withNoise,
} from '../../support/containers/sound/speech.ts'
import { campaign } from '../../support/node/campaign.ts'

const pauses = [0.8, 1.2, 0.5]

/** Renders, and asks an independent meter what the finished file sounds like. */
async function normalized(sound: Float32Array<ArrayBuffer>, options: Record<string, unknown> = {}) {
  const source = await videoWithSound(sound)
  const video = await renderVideo([{ file: source }], { normalizeAudio: true, ...options })
  return { ...video, source, ...(await ebur128(video.file)) }
}

describe('normalizeAudio', () => {
  it('brings quiet speech to −16 LUFS, and encodes only the sound', async () => {
    const quiet = (await speech(pauses)).map((value) => value * 0.03)
    const { loudness, truePeak, plan, described, source, file } = await normalized(quiet)
    expect(Math.abs(loudness + 16)).toBeLessThan(0.5)
    expect(truePeak).toBeLessThanOrEqual(-1)
    expect([plan.video, plan.audio]).toEqual(['copy', 'encode'])
    expect(await packetHashes(file, '0:v')).toEqual(await packetHashes(source, '0:v'))
    expect(described).toMatchObject({ steps: ['clean-audio', 'limit-sound'], cuts: { count: 0 } })
    expect((described.sound?.loudness ?? 0) + (described.sound?.gainDb ?? 0)).toBeCloseTo(-16, 0)
  })

  it.each([
    [-23, -3],
    [-12, 0],
  ])('brings speech to a target of %s LUFS with peaks of at most %s dBTP', async (target, peak) => {
    const asked = { normalizeAudio: { target, peak }, outputFormat: 'mov' }
    const { loudness, truePeak, plan } = await normalized(await speech(pauses), asked)
    expect(Math.abs(loudness - target)).toBeLessThan(0.3)
    expect(truePeak).toBeLessThanOrEqual(peak)
    expect(plan.warnings).toEqual([])
  })

  it('is as loud in AVI, whose encoder lowers what it is given', async () => {
    const quiet = (await speech(pauses)).map((value) => value * 0.03)
    const { loudness } = await normalized(quiet, { outputFormat: 'avi' })
    expect(Math.abs(loudness + 16)).toBeLessThan(0.3)
  })

  it.each([0.4, 1.7])(
    'is as loud at a speed of %s, at which pauses last longer or shorter',
    async (speed) => {
      const { loudness, truePeak, plan } = await normalized(await speech(pauses), { speed })
      expect(Math.abs(loudness + 16)).toBeLessThan(0.3)
      expect(truePeak).toBeLessThanOrEqual(-1.5)
      expect(plan.warnings).toEqual([])
    },
  )

  it('raises no sound that becomes too short to be measured', async () => {
    const short = (await speech(pauses)).slice(48_000, 96_000)
    const gainOf = async (speed: number) =>
      (await normalized(short, { speed })).described.sound?.gainDb ?? 0
    expect(Math.abs((await gainOf(4)) - (await gainOf(1)))).toBeLessThan(3)
  })

  it('says which loudness the peaks allow', async () => {
    const asked = { normalizeAudio: { target: -8, peak: -9 } }
    const { loudness, truePeak, plan } = await normalized(await speech(pauses), asked)
    const [, said] = /reaches only (-[\d.]+) LUFS/.exec(plan.warnings.join()) ?? []
    expect(Math.abs(loudness - Number(said))).toBeLessThan(0.3)
    expect(truePeak).toBeLessThanOrEqual(-9)
  })

  campaign('reaches the target for very dynamic speech, through the limiter', async () => {
    const even = await speech(pauses)
    // Whispered, with a knock on the table three times a second.
    const knocking = even.map((value, i) => (i % 16_000 < 200 ? 0.9 : value * 0.06))
    const { loudness, truePeak, described } = await normalized(knocking)
    expect((described.sound?.loudness ?? 0) + (described.sound?.gainDb ?? 0)).toBeGreaterThan(-14)
    expect(Math.abs(loudness + 16)).toBeLessThan(1)
    expect(truePeak).toBeLessThanOrEqual(-1)
  })

  campaign('measures the sound that is left after noise and pauses were removed', async () => {
    const noisy = await withNoise(await speech([2, 2, 2]), 'pink', 10)
    const asked = { removeNoise: true, removeSilence: true }
    const { loudness, truePeak, described } = await normalized(
      noisy.map((value) => value * 0.1),
      asked,
    )
    expect(Math.abs(loudness + 16)).toBeLessThan(0.5)
    expect(truePeak).toBeLessThanOrEqual(-1)
    expect(described.cuts.removedSeconds).toBeGreaterThan(4)
  })

  campaign('keeps its peaks through the lowest bit rates', async () => {
    const sound = await speech(pauses)
    const knocking = sound.map((value, i) => (i % 16_000 < 200 ? 0.9 : value * 0.1))
    const mp4 = await normalized(knocking, { compressionQuality: 1 })
    const webm = await normalized(knocking, { compressionQuality: 1, outputFormat: 'webm' })
    expect([mp4.truePeak <= -1, webm.truePeak <= -1]).toEqual([true, true])
    expect(Math.abs(mp4.loudness + 16)).toBeLessThan(1)
    expect(Math.abs(webm.loudness + 16)).toBeLessThan(1)
  })

  it('leaves near silence as it is, with a warning', async () => {
    const hum = silence(3).map((_, i) => 0.0003 * Math.sin(i / 20))
    const { plan, described } = await normalized(hum)
    expect(plan.warnings).toEqual([
      'normalizeAudio: the sound is too quiet to be raised, so it was left as it is.',
    ])
    expect(described.sound?.gainDb).toBeNull()
  })
})
