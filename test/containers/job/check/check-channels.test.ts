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

it('finds sides that are exchanged, turned over or lost late in a sound, and says where', () => {
  const seconds = 8
  const long = (sampleAt: (moment: number, side: number) => number): Buffer => {
    const count = 2 * seconds * soundRate
    return Buffer.from(Int16Array.from({ length: count }, (_, i) => sampleAt(i >> 1, i % 2)).buffer)
  }
  const wanted = long(noise)
  const isLate = (moment: number): boolean => moment >= 4 * soundRate
  const found = (sampleAt: (moment: number, side: number) => number) =>
    checkChannels(channels, { made: long(sampleAt), wanted })
  const where = { result: 'failed', stretch: { startTime: 4, endTime: 8 } }
  expect(found((at, side) => (isLate(at) ? -1 : 1) * noise(at, side))).toMatchObject({
    ...{ ...where, message: 'Every wave of its sound is turned over, from 4 to 8 s.' },
  })
  expect(found((at, side) => noise(at, isLate(at) ? 1 - side : side))).toMatchObject(where)
  expect(found((at, side) => (isLate(at) && side === 1 ? 0 : noise(at, side)))).toMatchObject(where)
  expect(found(noise)).toMatchObject({ result: 'passed' })
})

it('finds sides that are exchanged although they are nearly the same', () => {
  const nearly = (moment: number, side: number): number =>
    noise(moment, 2) + (side === 0 ? 0.1 : -0.1) * noise(moment, 0)
  const wanted = soundOf(nearly)
  const made = soundOf((moment, side) => nearly(moment, 1 - side))
  expect(checkChannels(channels, { made, wanted })).toMatchObject({
    message: 'Its left side is heard at the right, and its right side at the left.',
  })
  const faint = soundOf((moment, side) => nearly(moment, side) + 0.05 * noise(moment + 9, side))
  expect(checkChannels(channels, { made: faint, wanted })).toMatchObject({ result: 'passed' })
})

it('takes no tone that comes half a wave later for one that is turned over', () => {
  const made = soundOf((moment) => tone(moment - 4))
  expect(checkChannels(channels, { made, wanted: soundOf(tone) })).toMatchObject({
    result: 'passed',
  })
})

it('finds one side that is turned over, and a sound that is turned over and comes a little late', () => {
  const wanted = soundOf(noise)
  const oneSide = soundOf((moment, side) => (side === 0 ? 1 : -1) * noise(moment, side))
  expect(checkChannels(channels, { made: oneSide, wanted })).toMatchObject({
    message: 'Every wave of its right side is turned over.',
  })
  const late = soundOf((moment, side) => -noise(moment - 170, side))
  expect(checkChannels(channels, { made: late, wanted })).toMatchObject({
    message: 'Every wave of its sound is turned over.',
  })
})

it('finds sides that are exchanged in a sound that comes a little late', () => {
  const made = soundOf((moment, side) => noise(moment - 170, 1 - side))
  expect(checkChannels(channels, { made, wanted: soundOf(noise) })).toMatchObject({
    message: 'Its left side is heard at the right, and its right side at the left.',
  })
})

it('takes a tone that is in time for turned over if it fits better than half a wave later', () => {
  const rising = (moment: number) => tone(moment / 3) * (0.5 + moment / soundRate / 4)
  const made = soundOf((moment) => -rising(moment))
  expect(checkChannels(channels, { made, wanted: soundOf(rising) })).toMatchObject({
    result: 'failed',
  })
})
