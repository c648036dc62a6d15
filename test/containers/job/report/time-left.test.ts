import { describe, expect, it } from 'vitest'
import { TimeLeft } from '../../../../containers/job/report/time-left.ts'
import { lookShare, unknownAgain } from '../../../../containers/job/report/work-ahead.ts'
import { lookingWork, paceOf, work } from '../../../../containers/job/report/work-kinds.ts'
import type { Paces } from '../../../../worker/contract/job/paces.ts'

/** A hundred seconds to render, and ten to measure, as past jobs tell. */
const ahead = {
  measuring: { kind: 'measuring', units: 100 },
  rendering: { kind: 'encoding mp4', units: 1000 },
  uploading: { kind: 'uploading', units: 1 },
}
const paces: Paces = {
  measuring: { ms: 100, spread: 0.2 },
  'encoding mp4': { ms: 100, spread: 0.2 },
  uploading: { ms: 1000, spread: 0.2 },
  starting: { ms: 100, spread: 0.2 },
  ending: { ms: 100, spread: 0.2 },
}

function aJob(past = paces) {
  const clock = { ms: 0 }
  const left = new TimeLeft(past, () => clock.ms)
  const seconds = (): number => left.left.seconds
  return { clock, left, seconds }
}

describe('the time that is left of a job', () => {
  it('is what past jobs took for such work, until its own pace shows', () => {
    const { clock, left, seconds } = aJob()
    left.expect(ahead)
    left.hear('measuring', 0)
    expect(seconds()).toBeCloseTo(111, 0)
    clock.ms = 10_000
    left.hear('rendering', 0)
    expect(seconds()).toBeCloseTo(101, 0)
    // Twice as slow as the others were.
    clock.ms += 100_000
    left.hear('rendering', 0.5)
    expect(seconds()).toBeGreaterThan(85)
    expect(seconds()).toBeLessThan(110)
    expect(left.left.most / left.left.least).toBeLessThan(1.6)
  })

  it('believes its own pace soon if that is far from the past, as with other footage', () => {
    const { clock, left, seconds } = aJob()
    left.expect(ahead)
    left.hear('rendering', 0)
    clock.ms = 1_000
    left.hear('rendering', 0.15)
    expect(seconds()).toBeGreaterThan(5.5)
    expect(seconds()).toBeLessThan(8.5)
  })

  it('has a wide range where nothing was measured, which becomes narrow with the work', () => {
    const { clock, left } = aJob({})
    left.expect({ ...ahead, rendering: work('encoding mp4', 1000) })
    left.hear('rendering', 0)
    const before = left.left
    expect(before.most).toBeGreaterThan(3 * before.least)
    expect(left.certainMs).toBe(Infinity)
    clock.ms = 30_000
    left.hear('rendering', 0.6)
    const after = left.left
    expect(after.seconds).toBeCloseTo(20, -1)
    expect(after.most).toBeLessThan(1.5 * after.least)
    expect(left.certainMs).toBeLessThan(25_000)
  })

  it('takes kinds that nobody has measured for as slow as the measured ones, the more of them the surer', () => {
    const slow = (...measured: ('transcribing' | 'measuring voices' | 'copying' | 'cutting')[]) =>
      Object.fromEntries(
        measured.map((kind) => [kind, { ms: 10 * paceOf(kind, {}).ms, spread: 0.1 }]),
      )
    const ratio = (past: Paces) => paceOf('encoding mp4', past).ms / paceOf('encoding mp4', {}).ms
    expect(ratio(slow('transcribing'))).toBeCloseTo(1.8, 1)
    expect(ratio(slow('transcribing', 'measuring voices', 'copying', 'cutting'))).toBeGreaterThan(3)
  })

  it('takes a job for slower where those that asked for the same were, whatever others were', () => {
    const secondsAfter = (past: Paces) => {
      const left = new TimeLeft(past, () => 0, work('whole'), 'webm: plain')
      left.expect(ahead)
      left.hear('measuring', 0)
      return left.left.seconds
    }
    const slow = { ms: 3, spread: 0.25 }
    expect(secondsAfter({ 'early time webm: plain': slow }) / secondsAfter({})).toBeGreaterThan(2.2)
    const others = { 'early time mp4: plain': slow, 'early time mov: captions': slow }
    expect(secondsAfter(others)).toBe(secondsAfter({}))
  })

  it('counts the further runs that an encode will need', () => {
    const { clock, left, seconds } = aJob()
    left.expect(ahead)
    left.hear('rendering', 0)
    clock.ms = 50_000
    left.hear('rendering', 0.5, 2)
    expect(seconds()).toBeGreaterThan(50 + 200)
    expect(seconds()).toBeLessThan(270)
    clock.ms = 100_000
    left.hear('rendering', 1, 2)
    left.hear('rendering', 0, 1)
    expect(seconds()).toBeCloseTo(100 + 100 + 1, 0)
  })

  it('tells a range with the runs that may follow, and as many as past jobs had until this one shows', () => {
    const { clock, left, seconds } = aJob({ ...paces, runs: { ms: 2_000, spread: 0.3 } })
    left.expect({ ...ahead, runs: work('runs') })
    expect(seconds()).toBeCloseTo(212.3, 0)
    left.hear('rendering', 0)
    expect(seconds()).toBeCloseTo(201, 0)
    clock.ms = 20_000
    left.hear('rendering', 0.2, unknownAgain)
    expect(seconds()).toBeCloseTo(80 + 100, -1)
    expect(left.left.least).toBeLessThan(80)
    clock.ms = 60_000
    left.hear('rendering', 0.6, 0)
    expect(seconds()).toBeCloseTo(41, 0)
    expect(left.left.most).toBeLessThan(60)
    clock.ms = 100_000
    left.hear('uploading', 0)
    expect(left.done({ phases: [] })).toContainEqual({ kind: 'runs', units: 1, ms: 1_000 })
  })

  it('reckons in each run with as many as past jobs had', () => {
    const { clock, left, seconds } = aJob({ ...paces, runs: { ms: 4_000, spread: 0.3 } })
    left.expect({ ...ahead, runs: work('runs') })
    left.hear('rendering', 0)
    clock.ms = 100_000
    left.hear('rendering', 1, unknownAgain)
    left.hear('rendering', 0, unknownAgain)
    // This one and two more.
    expect(seconds()).toBeCloseTo(300, -2)
    clock.ms = 400_000
    left.hear('rendering', 1, 0)
    expect(seconds()).toBeLessThan(5)
  })

  it('tells the pace of a quick look at the pictures from that of the encode, also for the jobs to come', () => {
    const { clock, left, seconds } = aJob({
      ...paces,
      'looking: encoding mp4': { ms: 20, spread: 0.2 },
    })
    left.expect({ ...ahead, looking: lookingWork(ahead.rendering) })
    left.hear('rendering', 0)
    expect(seconds()).toBeCloseTo(20 + 100 + 1, 0)
    clock.ms = 20_000
    left.hear('rendering', lookShare)
    expect(seconds()).toBeGreaterThan(99)
    expect(seconds()).toBeLessThan(103)
    clock.ms = 120_000
    left.hear('rendering', 1)
    left.hear('uploading', 0)
    expect(left.done({ phases: [{ name: 'rendering', durationMs: 120_000 }] })).toEqual([
      { kind: 'encoding mp4', units: 1000, ms: 99_800 },
      { kind: 'looking: encoding mp4', units: 1000, ms: 19_900 },
      { kind: 'whole', units: 1, ms: 120_000 },
    ])
  })

  it('counts the checks of a film, which begin when it is rendered, and learns how long they take', () => {
    const { clock, left, seconds } = aJob({ ...paces, checking: { ms: 50, spread: 0.2 } })
    const checking = { kind: 'checking', units: 100 }
    left.expect({ ...ahead, checking })
    left.hear('rendering', 0)
    expect(seconds()).toBeCloseTo(100 + 5 + 1, 0)
    clock.ms = 100_000
    left.hear('rendering', 1)
    left.expect({ checking: { kind: 'checking', units: 200 } })
    expect(seconds()).toBeCloseTo(10 + 1, 0)
    clock.ms = 108_000
    left.hear('uploading', 0)
    const done = left.done({ phases: [{ name: 'rendering', durationMs: 108_000 }] })
    expect(done).toContainEqual({ kind: 'checking', units: 200, ms: 8_000 })
    expect(done).toContainEqual({ kind: 'encoding mp4', units: 1000, ms: 99_800 })
  })

  it('takes the start of a program for no part of its pace, and tells how long start and end took', () => {
    const { clock, left, seconds } = aJob()
    left.expect({ ...ahead, rendering: { kind: 'encoding mp4', units: 100 } })
    left.hear('rendering', 0)
    for (const share of [0.05, 0.15, 0.25, 0.35, 0.45]) {
      // Two seconds before the first report, then one for each tenth.
      clock.ms = 2_000 + (share - 0.05) * 10_000
      left.hear('rendering', share)
    }
    expect(seconds()).toBeGreaterThan(5.5 + 1)
    expect(seconds()).toBeLessThan(5.5 + 2)
    clock.ms = 11_000
    left.hear('rendering', 0.95)
    clock.ms = 15_500
    left.hear('uploading', 0)
    const done = left
      .done({ phases: [{ name: 'rendering', durationMs: 15_500 }] })
      .map(({ ms, ...kept }) => ({ ...kept, ms: Math.round(ms) }))
    expect(done).toContainEqual({ kind: 'starting', units: 1, ms: 1_500 })
    expect(done).toContainEqual({ kind: 'ending', units: 1, ms: 4_000 })
    expect(done).toContainEqual({ kind: 'encoding mp4', units: 100, ms: 10_000 })
  })

  it('tells no pace of a measurement of which an earlier job has done some', () => {
    const { clock, left, seconds } = aJob()
    left.expect({ ...ahead, measuring: { ...ahead.measuring, isMixed: true } })
    left.hear('measuring', 0)
    expect(seconds()).toBeCloseTo(111, 0)
    clock.ms = 1_000
    left.hear('rendering', 0)
    const done = left.done({ phases: [{ name: 'measuring', durationMs: 1_000 }] })
    expect(done.map(({ kind }) => kind)).not.toContain('measuring')
    expect(done).toContainEqual({ kind: 'whole', units: 1, ms: 1_000 })
  })

  it('takes the first step of a measurement or of a cut for no pace, because the others take longer', () => {
    const { clock, left, seconds } = aJob({ ...paces, cutting: { ms: 10, spread: 0.2 } })
    left.expect({ ...ahead, rendering: { kind: 'cutting', units: 1000 } })
    left.hear('measuring', 0)
    clock.ms = 400
    left.hear('measuring', 0.25)
    expect(seconds()).toBeGreaterThan(17)
    left.hear('rendering', 0)
    clock.ms = 1_400
    left.hear('rendering', 0.4)
    expect(seconds()).toBeCloseTo(9 + 1, 0)
  })

  it('goes by the last jobs that asked for such a thing, before it knows the footage', () => {
    const past = { whole: { ms: 60_000, spread: 0.5 }, 'whole webm': { ms: 300_000, spread: 0.3 } }
    const told = (kind: string) => new TimeLeft(past, () => 0, { kind, units: 1 }).left.seconds
    expect(told('whole webm') - told('whole mp4')).toBeCloseTo(240, 0)
  })

  it('reckons with what such jobs have taken beside what their works take, before and after it is planned', () => {
    const rendering = work('encoding mp4', 1000)
    const aForecast = (past: Paces, isPlanned: boolean) => {
      const clock = { ms: 0 }
      const likeness = 'mp4: joined'
      const left = new TimeLeft({ ...paces, ...past }, () => clock.ms, work('whole'), likeness)
      left.expect({ ...ahead, rendering })
      if (isPlanned) left.expect({ rendering: { ...rendering, units: 100 } })
      left.hear('measuring', 0)
      return { left, clock, seconds: left.left.seconds }
    }
    const { left, clock } = aForecast({}, true)
    clock.ms = 60_500
    const phases = [{ name: 'fetching', durationMs: 500 }]
    const noted = new Map(
      left.done({ phases, processorMs: 90_000 }).map((one) => [one.kind, one] as const),
    )
    const paceOfKind = (kind: string) => (noted.get(kind)?.ms ?? 0) / (noted.get(kind)?.units ?? 0)
    const past = Object.fromEntries(
      [...noted.keys()].map((kind) => [kind, { ms: paceOfKind(kind), spread: 0.05 }]),
    )
    for (const isPlanned of [false, true]) {
      const told = aForecast(past, isPlanned)
      expect(Math.abs(told.seconds - 60)).toBeLessThan(2)
      expect(told.left.left.most / told.left.left.least).toBeLessThan(1.4)
      expect(told.left.processor.ms).toBeCloseTo(90_000, -4)
      expect(told.left.processor.spread).toBeLessThan(0.1)
    }
    // The nearest kind is surest.
    const other = { ms: 1_000 * paceOfKind('error mp4: joined'), spread: 0.5 }
    const mixed = { ...past, 'error mp4: plain': other, 'error webm: plain': other }
    expect(aForecast(mixed, true).seconds).toBeLessThan(65)
  })

  it('counts for the processor what is heard beside, the cores that works keep busy, and what jobs took', () => {
    const secondsWith = (more: object, past: Paces = {}) => {
      const known = { transcribing: { ms: 1000, spread: 0.2 }, ...past }
      const left = new TimeLeft({ ...paces, ...known }, () => 0)
      left.expect({ ...ahead, ...more })
      return left.processor.ms / 1000
    }
    const hearing = { kind: 'transcribing', units: 20 }
    expect(secondsWith({ hearing }) - secondsWith({})).toBeCloseTo(20, 0)
    const ofSound = { rendering: { kind: 'encoding sound', units: 1_000 } }
    const alike = { 'encoding sound': paces['encoding mp4'] ?? { ms: 0, spread: 0 } }
    expect(secondsWith({})).toBeGreaterThan(1.4 * secondsWith(ofSound, alike))
    const twice = { ms: 2, spread: 0.2 }
    expect(secondsWith({}, { processor: twice })).toBeCloseTo(2 * secondsWith({}))
    const past = { processor: { ms: 5, spread: 0.2 }, 'processor large': twice }
    expect(secondsWith({ busy: 'processor large' }, past)).toBeCloseTo(2 * secondsWith({}))
  })

  it('waits for what is heard beside the rendering if that takes longer', () => {
    const { clock, left, seconds } = aJob({ ...paces, transcribing: { ms: 1000, spread: 0.2 } })
    left.expect({ ...ahead, hearing: { kind: 'transcribing', units: 300 } })
    left.hear('rendering', 0)
    left.hearBeside('hearing', 0.1)
    clock.ms = 50_000
    left.hear('rendering', 0.5)
    expect(seconds()).toBeCloseTo(250, 0)
    left.hearBeside('hearing', 1)
    expect(seconds()).toBeCloseTo(51, -1)
  })

  it('follows the pace of what is heard beside the rendering, and holds the bar by it', () => {
    const { clock, left, seconds } = aJob({ ...paces, transcribing: { ms: 100, spread: 0.5 } })
    left.expect({ ...ahead, hearing: { kind: 'transcribing', units: 300 } })
    left.hear('rendering', 1)
    left.hearBeside('hearing', 0)
    // An attempt that goes on where another one ended is at once where its own work begins.
    left.hearBeside('hearing', 0.1)
    for (let share = 0.13; share < 0.5; share += 0.03) {
      clock.ms += 30_000
      left.hearBeside('hearing', share)
    }
    expect(seconds()).toBeGreaterThan(450)
    expect(seconds()).toBeLessThan(550)
    expect(left.percent).toBeLessThan(80)
  })

  it('tells nothing of a rendering that has waited for what is said, for the jobs to come', () => {
    const kindsDone = (heardMs: number) => {
      const { clock, left } = aJob()
      left.expect({ ...ahead, hearing: { kind: 'transcribing', units: 300 } })
      left.hear('rendering', 0)
      left.hearBeside('hearing', 0)
      for (const [ms, tell] of [
        [100_000, () => left.hear('rendering', 1)],
        [heardMs, () => left.hearBeside('hearing', 1)],
      ] as const) {
        clock.ms = ms
        tell()
      }
      left.hear('uploading', 0)
      return left
        .done({ phases: [{ name: 'rendering', durationMs: clock.ms }] })
        .map(({ kind }) => kind)
    }
    expect(kindsDone(100_000)).toContain('encoding mp4')
    expect(kindsDone(900_000)).not.toContain('encoding mp4')
  })

  it('grows while work takes longer than all before it, and never says that nothing is left', () => {
    const { clock, left, seconds } = aJob()
    left.expect(ahead)
    left.hear('rendering', 0)
    clock.ms = 99_000
    const late = seconds()
    clock.ms = 400_000
    expect(seconds()).toBeGreaterThan(late)
    expect(seconds()).toBeGreaterThan(90)
  })

  it('tells for the jobs to come what was done, each run of an encode counted', () => {
    const { clock, left } = aJob()
    left.expect(ahead)
    left.hear('rendering', 0)
    clock.ms = 100
    left.hear('rendering', 1)
    left.hear('rendering', 0)
    left.hear('rendering', 0.5)
    left.hear('uploading', 0)
    const phases = [
      { name: 'fetching', durationMs: 70 },
      { name: 'rendering', durationMs: 3_000 },
    ]
    clock.ms = 3_070
    expect(left.done({ phases })).toEqual([
      { kind: 'encoding mp4', units: 1500, ms: 2_750 },
      { kind: 'whole', units: 1, ms: 3_000 },
    ])
  })
})

describe('the bar', () => {
  it('moves with the time that is left, and reaches its end with it', () => {
    const { clock, left } = aJob()
    left.expect(ahead)
    left.hear('measuring', 0)
    clock.ms = 10_000
    left.hear('rendering', 0)
    expect(left.percent).toBeGreaterThan(7)
    expect(left.percent).toBeLessThan(10)
    for (let share = 0; share < 1; share += 0.01) {
      clock.ms += 1000
      left.hear('rendering', share)
    }
    expect(left.percent).toBeGreaterThan(85)
  })

  it('never stands still for long and never goes back, also if the forecast was far too short', () => {
    const { clock, left } = aJob()
    left.expect({ ...ahead, rendering: { kind: 'encoding mp4', units: 20 } })
    left.hear('rendering', 0)
    let [last, stillMs, longestMs] = [0, 0, 0]
    for (let share = 0; share < 1; share += 0.001) {
      clock.ms += 600
      left.hear('rendering', share)
      const now = Math.floor(left.percent)
      expect(now).toBeGreaterThanOrEqual(last)
      stillMs = now === last ? stillMs + 600 : 0
      longestMs = Math.max(longestMs, stillMs)
      last = now
    }
    expect(last).toBeLessThan(98)
    expect(longestMs).toBeLessThan(60_000)
  })
})
