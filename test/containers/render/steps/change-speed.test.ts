import { describe, expect, it } from 'vitest'
import { campaignAfter } from '../../../support/node/campaign.ts'
import { countedVideo, shownNumbers } from '../../../support/containers/films/counted-video.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { samplesOf } from '../../../support/containers/sound/samples.ts'

const rate = 48_000
const pitch = 440

/** A tone in the second half of each second. */
const beeps = `aevalsrc='0.5*sin(2*PI*${pitch}*t)*gte(mod(t,1),0.5)':s=48000:d=6`

/** When the tone begins, in seconds. */
function onsetsOf(samples: Float32Array): number[] {
  const quiet = rate / 20
  const isLoud = (value: number | undefined) => Math.abs(value ?? 0) > 0.3
  let last = -quiet
  return Array.from(samples.keys()).flatMap((at) => {
    if (!isLoud(samples[at])) return []
    const isFirst = at - last >= quiet
    last = at
    return isFirst ? [at / rate] : []
  })
}

/** How far a tone is from the pitch, in hundredths of a semitone, by the zeros that it rises through. */
function centsOff(samples: Float32Array): number {
  const zeros = Array.from(samples.keys()).flatMap((at) => {
    const [before = 0, here = 0] = [samples[at - 1], samples[at]]
    return before < 0 && here >= 0 ? [at - here / (here - before)] : []
  })
  const first = zeros[0] ?? 0
  const found = ((zeros.length - 1) * rate) / ((zeros.at(-1) ?? 0) - first)
  return 1_200 * Math.log2(found / pitch)
}

const source = async () => [{ file: await countedVideo({ seconds: 6, fps: 25, sound: beeps }) }]

describe('changeSpeed', () => {
  const speeds = [0.33, 1.5, 0.5, 0.25, 0.75, 2, 3, 4]
  for (const [i, speed] of speeds.entries()) {
    it(
      `plays picture and sound at ${speed} times the speed, in step and at the same pitch`,
      { tags: campaignAfter(2, i) },
      async () => {
        const { file, plan } = await renderVideo(await source(), { speed })
        const numbers = await shownNumbers(file)
        expect(numbers).toHaveLength(Math.round(150 / speed))
        // The sound ends with the last picture.
        expect(plan.durationSeconds).toBeCloseTo(numbers.length / 25, 6)
        // At each place, the picture that stands at its moment.
        expect(numbers).toEqual(numbers.map((_, place) => Math.floor(place * speed + 1e-6)))
        const samples = await samplesOf(file, rate)
        // The last packet is decoded whole.
        expect(Math.abs(samples.length / rate - numbers.length / 25)).toBeLessThan(1024 / rate)
        const lags = onsetsOf(samples).map((at, i) => Math.abs(at - (i + 0.5) / speed))
        expect(lags).toHaveLength(6)
        expect(Math.max(...lags)).toBeLessThan(speed < 0.5 ? 0.012 : 0.01)
        const [from, to] = [2.6, 2.9].map((moment) => Math.round((moment / speed) * rate))
        expect(Math.abs(centsOff(samples.subarray(from, to)))).toBeLessThan(5)
      },
    )
  }

  it('loses little of how loud a sound is by slowing it down', async () => {
    const beat = (hum: number) => `if(lt(mod(t,1),0.1),0.5*sin(6283*t),0.08*sin(${hum}*t))`
    const sound = `aevalsrc='${beat(1256)}|${beat(1885)}':s=48000:d=3`
    const loudnessAt = async (speed: number) => {
      const { file } = await renderVideo(
        [{ file: await countedVideo({ seconds: 3, fps: 25, sound }) }],
        {
          speed,
        },
      )
      const samples = await samplesOf(file, rate)
      const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length
      return 10 * Math.log10(power)
    }
    expect(Math.abs((await loudnessAt(0.25)) - (await loudnessAt(1)))).toBeLessThan(3)
  })

  it('comes after the cuts and before what lies on the film', async () => {
    const timing = { startTime: 1, endTime: 2 }
    const { file, described, plan } = await renderVideo(await source(), {
      speed: 2,
      removeSegments: [{ startTime: 1, endTime: 3 }],
      elements: [{ type: 'text', text: 'late', timing }],
    })
    expect(plan.durationSeconds).toBe(2)
    expect(described).toMatchObject({
      steps: ['cut-segments', 'change-speed', 'place-overlay'],
      cuts: { list: [{ startTime: 1, endTime: 3, resultTime: 0.5 }] },
    })
    const numbers = await shownNumbers(file)
    expect(numbers.slice(0, 14)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 76])
    const onsets = onsetsOf(await samplesOf(file, rate))
    expect(onsets[1]).toBeCloseTo(0.75, 1)
  })
})
