import { expect, it } from 'vitest'
import { checkChannels } from '../../../../containers/job/check/check-channels.ts'
import { soundRate } from '../../../../containers/job/check/look-at-film.ts'

const channels = { due: 2, made: 2 }

/** Both sides of two seconds, each sample as the function says. */
function soundOf(sampleAt: (moment: number, side: number) => number): Buffer {
  const samples = Int16Array.from({ length: 4 * soundRate }, (_, i) => sampleAt(i >> 1, i % 2))
  return Buffer.from(samples.buffer)
}

/** Noise that is the same in each run. */
const noise = (moment: number, side: number): number =>
  8_000 * Math.sin((moment * 12.9898 + side * 78.233) ** 1.7)
const tone = (moment: number): number =>
  8_000 * Math.sin((2 * Math.PI * 1_000 * moment) / soundRate)

it('finds a sound of which every wave is turned over', () => {
  const wanted = soundOf(noise)
  const made = soundOf((moment, side) => -0.8 * noise(moment, side))
  expect(checkChannels(channels, { made, wanted })).toMatchObject({ result: 'failed' })
  expect(checkChannels(channels, { made: wanted, wanted })).toMatchObject({ result: 'passed' })
})

it('takes no tone that comes half a wave later for one that is turned over', () => {
  const made = soundOf((moment) => tone(moment - 4))
  expect(checkChannels(channels, { made, wanted: soundOf(tone) })).toMatchObject({
    result: 'passed',
  })
})
