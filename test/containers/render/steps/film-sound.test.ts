import { describe, expect, it } from 'vitest'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { leftOf } from '../../../support/containers/sound/samples.ts'

const rate = 16_000
const tone = "aevalsrc='0.2*sin(2*PI*440*t)':s=48000:d=4"
const source = async (sound: string | null = tone) => [
  { file: await countedVideo({ seconds: 4, fps: 25, sound }) },
]

/** The level between two moments, as a share of that of the tone. */
function levelIn(samples: Float32Array, from: number, to: number): number {
  const part = samples.subarray(from * rate, to * rate)
  const power = part.reduce((sum, value) => sum + value * value, 0) / part.length
  return Math.sqrt(2 * power) / 0.2
}

describe('filmSound', () => {
  it('sets the volume and fades, and copies the pictures', async () => {
    const audio = { volume: 0.5, fadeIn: { duration: 1 }, fadeOut: { duration: 2 } }
    const { file, described } = await renderVideo(await source(), { audio })
    expect(described).toMatchObject({ steps: ['film-sound'], picture: 'copied' })
    const samples = await leftOf(file, rate)
    const levels = [0.48, 1.4, 2.98].map((at) => levelIn(samples, at, at + 0.04))
    expect(levels[0]).toBeCloseTo(0.25, 1)
    expect(levels[1]).toBeCloseTo(0.5, 2)
    expect(levels[2]).toBeCloseTo(0.25, 1)
  })

  it('keeps the sound beside its pictures while it fades for longer than the film lasts', async () => {
    const audio = { fadeOut: { duration: 8 } }
    const { file, described } = await renderVideo(await source(), { audio })
    expect(described.picture).toBe('copied')
    const samples = await leftOf(file, rate)
    expect(samples.length / rate).toBeCloseTo(4, 1)
    expect(levelIn(samples, 0.98, 1.02)).toBeCloseTo(0.375, 1)
    expect(levelIn(samples, 2.98, 3.02)).toBeCloseTo(0.125, 1)
  })

  it('leaves out the sound of a muted film', async () => {
    const { plan } = await renderVideo(await source(), { audio: { mute: true } })
    expect(plan.audio).toBe('none')
    const [clip] = await source()
    const joined = await renderVideo(clip ? [clip, clip] : [], {
      ...{ audio: { mute: true }, compressionQuality: 50 },
    })
    expect(joined.plan.audio).toBe('none')
  })

  it('says that a silent film has no sound to change', async () => {
    const { plan } = await renderVideo(await source(null), { audio: { volume: 2 } })
    expect(plan.warnings).toContain('audio: the video has no sound.')
  })
})
