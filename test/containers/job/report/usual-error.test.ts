import { expect, it } from 'vitest'
import { TimeLeft } from '../../../../containers/job/report/time-left.ts'
import { work, type Work } from '../../../../containers/job/report/work-kinds.ts'

it('does not lengthen an encode that was tried by what other footage took with such options', () => {
  const likeness = 'mp4: plain'
  const slow = { ms: 4, spread: 0.2 }
  const paces = {
    'encoding mp4': { ms: 6, spread: 0.2 },
    [`error ${likeness}`]: slow,
    [`processor ${likeness}`]: slow,
  }
  const told = (rendering: Work, past = paces) => {
    const left = new TimeLeft(past, () => 0, work('whole'), likeness)
    left.expect({ measuring: work('measuring'), rendering })
    left.expect({ rendering })
    return { seconds: left.left.seconds, processor: left.processor.ms }
  }
  const rendering = work('encoding mp4', 10_000)
  const byPace = told(rendering, { 'encoding mp4': paces['encoding mp4'] } as typeof paces)
  const byLikeness = told(rendering)
  const tried = told({ ...rendering, spread: 0.1 })
  for (const name of ['seconds', 'processor'] as const) {
    expect(byLikeness[name] / byPace[name]).toBeGreaterThan(1.5)
    expect(tried[name] / byPace[name]).toBeCloseTo(1, 1)
  }
})
