import { describe, expect, it } from 'vitest'
import { judgeProbe, type Watch } from '../../../../scripts/start/parts/watch-part.ts'

const bornAtMs = 1_000
const idle = { isBusy: false }
const up: Watch = { bornAtMs, hasAnswered: true, silence: undefined, startMs: 60_000 }

/** At which of these times a process that does not answer is killed. */
function endedAt(known: Watch | undefined, times: number[], born = bornAtMs, isBusy = false) {
  let watch = known
  const ended = times.filter((at) => {
    const probe = { answered: false, startedAtMs: at, nowMs: at, bornAtMs: born, isBusy }
    const judged = judgeProbe(watch, probe)
    watch = judged.watch
    return judged.verdict === 'restart'
  })
  return { ended, watch }
}

describe('judgeProbe', () => {
  it('accepts any answer, also after silence', () => {
    const silent = { ...up, silence: { sinceMs: 2_000, failures: 2 } }
    const probe = { ...idle, answered: true, startedAtMs: 13_000, nowMs: 13_001, bornAtMs }
    expect(judgeProbe(silent, probe)).toEqual({ watch: up, verdict: undefined })
  })

  it('asks for a restart after three silent probes over ten seconds', () => {
    expect(endedAt(up, [20_000, 25_000, 29_000, 30_000]).ended).toEqual([30_000])
  })

  it('gives one that works a minute, because a flood of requests keeps it from answering', () => {
    const seconds = Array.from({ length: 70 }, (_, i) => 20_000 + i * 1_000)
    expect(endedAt(up, seconds, bornAtMs, true).ended).toEqual([80_000])
  })

  it('does not count one failed probe as silence, however long the machine slept', () => {
    const probe = { ...idle, answered: false, startedAtMs: 20_000, nowMs: 3_600_000, bornAtMs }
    expect(judgeProbe(up, probe).verdict).toBeUndefined()
  })

  it('gives a process that was just started a minute, whatever the one before did', () => {
    const seconds = Array.from({ length: 70 }, (_, i) => 100_000 + i * 1_000)
    expect(endedAt(up, seconds, 100_000).ended[0]).toBe(160_000)
    expect(endedAt(undefined, seconds, 100_000).ended[0]).toBe(160_000)
  })

  it('doubles the time of the next start after a process that never came up, until one has answered', () => {
    const minutes = (from: number) => Array.from({ length: 40 }, (_, i) => from + i * 20_000)
    const first = endedAt(up, minutes(100_000), 100_000)
    expect(first.ended[0]).toBe(160_000)
    const { watch } = endedAt(up, minutes(100_000).slice(0, 4), 100_000)
    const second = endedAt(watch, minutes(200_000), 200_000)
    expect(second.ended[0]).toBe(320_000)
    const at = { startedAtMs: 300_000, nowMs: 300_000, bornAtMs: 200_000 }
    const probe = { ...idle, answered: true, ...at }
    expect(judgeProbe(second.watch, probe).watch.startMs).toBe(60_000)
  })

  it('reports once for every process that it came up', () => {
    const answer = { ...idle, answered: true, startedAtMs: 5_000, nowMs: 5_000 }
    const first = judgeProbe(undefined, { ...answer, bornAtMs })
    const again = judgeProbe(first.watch, { ...answer, bornAtMs })
    const next = judgeProbe(again.watch, { ...answer, bornAtMs: 4_000 })
    const verdicts = [first, again, next].map(({ verdict }) => verdict)
    expect(verdicts).toEqual(['came-up', undefined, 'came-up'])
  })
})
