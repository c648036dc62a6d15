import { expect, it } from 'vitest'
import { checkWaves as check } from '../../../../containers/job/check/check-waves.ts'

const rate = 8_000
const checkWaves = (made: Buffer, wanted: Buffer) => check(made, wanted, 'usual')

/** Six seconds of a sound that repeats itself nowhere; each side is told for a second. */
function soundOf(valueAt: (second: number) => readonly [left: number, right: number]): Buffer {
  const samples = Int16Array.from({ length: 6 * rate * 2 }, (_, i) => {
    return 8_000 * (valueAt((i >> 1) / rate)[i % 2] ?? 0)
  })
  return Buffer.from(samples.buffer)
}

const tone = (t: number) => Math.sin(1_500 * t + 300 * Math.sin(1.7 * t * t))
const other = (t: number) => Math.sin(2_300 * t + 200 * Math.sin(2.3 * t))
const due = soundOf((t) => [tone(t), 0.7 * tone(t + 1)])
const changed = (change: (t: number) => number) => soundOf((t) => [change(t), 0.7 * change(t + 1)])

it('finds nothing in a sound that an encoder has delayed or made a little coarser', () => {
  expect(checkWaves(due, due)).toBeUndefined()
  expect(
    checkWaves(
      changed((t) => tone(t - 0.021) + 0.1 * other(t)),
      due,
    ),
  ).toBeUndefined()
})

it('knows a delayed tone that pauses by where it begins and ends', () => {
  const beats = (t: number) => (t > 0 && t % 2 < 1.2 ? Math.sin(2 * Math.PI * 200 * t) : 0)
  const both = (delay: number) => soundOf((t) => [beats(t - delay), beats(t - delay)])
  expect(checkWaves(both(0.0213), both(0))).toBeUndefined()
  expect(checkWaves(both(0.4), both(0))).toMatchObject({ name: 'sync' })
})

it('does not take a beat for late because the beginning of the first one is lost', () => {
  const beat = (t: number) => {
    const strength = (t < 1 ? 1.1 : 1) * (1 - 9 * (t % 1))
    return t % 1 < 0.1 ? strength * Math.sin(2 * Math.PI * 1_000 * t) : 0
  }
  const begun = (t: number) => (t < 0.0213 ? 0 : beat(t))
  const both = (valueAt: (t: number) => number) =>
    soundOf((t) => [valueAt(t), valueAt(t)]).subarray(0, 3.9 * 4 * rate)
  expect(checkWaves(both(begun), both(beat))).toBeUndefined()
  expect(
    checkWaves(
      both((t) => beat(t + 0.6)),
      both(beat),
    ),
  ).toMatchObject({ name: 'sync' })
})

it('tells what comes late, is another sound, or has another level, and where', () => {
  const late = soundOf((t) => (t < 3 ? [tone(t), tone(t)] : [tone(t - 0.25), tone(t - 0.25)]))
  const both = soundOf((t) => [tone(t), tone(t)])
  expect(checkWaves(late, both)).toMatchObject({
    ...{ name: 'sync', message: expect.stringContaining('0.25 s too late') as string },
    stretch: { startTime: 3, endTime: 6 },
  })
  expect(
    checkWaves(
      changed((t) => tone(t) + 0.8 * other(t)),
      due,
    ),
  ).toMatchObject({
    ...{ name: 'sync', message: expect.stringContaining('another sound') as string },
  })
  expect(
    checkWaves(
      soundOf((t) => [0.5 * tone(t), 0.35 * tone(t + 1)]),
      due,
    ),
  ).toMatchObject({
    ...{ name: 'loudness', message: expect.stringContaining('6.02 dB quieter') as string },
  })
})

it('tells of a crackle that lasts a hundredth of a second, and when it is heard', () => {
  const isOdd = (t: number) => t > 2 && t < 2.01
  const crackling = soundOf((t) => [
    tone(t) + (isOdd(t) ? 2 * Math.sin(20_000 * t) : 0),
    0.7 * tone(t + 1),
  ])
  expect(checkWaves(crackling, due)).toMatchObject({
    ...{ name: 'sync', message: 'There is a crackle in its sound at 2 s.' },
    stretch: { startTime: 2, endTime: 2 },
  })
})

it('knows a high tone that begins between two samples', () => {
  const hertz = (t: number) => 900 + 2_200 * ((Math.floor(t / 0.06) * 0.618) % 1)
  const high = (t: number) => (t < 1 ? 0 : Math.sin(2 * Math.PI * hertz(t) * t))
  const both = (delay: number) => soundOf((t) => [high(t - delay), high(t - delay)])
  for (const delay of [0.00067, 0.00031, -0.00044, 0.0125]) {
    expect(checkWaves(both(delay), both(0))).toBeUndefined()
  }
  expect(checkWaves(both(0.4), both(0))).toMatchObject({ name: 'sync' })
})
