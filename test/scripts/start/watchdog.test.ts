import { describe, expect, it } from 'vitest'
import { judgeProbe, type Silence } from '../../../scripts/start/watchdog.ts'

describe('judgeProbe', () => {
  it('is content with any answer, also after silence', () => {
    const silence = { sinceMs: 0, failures: 2 }
    const probe = { answered: true, startedAtMs: 11_000, nowMs: 11_001 }
    expect(judgeProbe(silence, probe)).toEqual({ silence: undefined, restart: false })
  })

  it('asks for a restart after three silent probes over ten seconds', () => {
    let silence: Silence
    const verdicts = [0, 5_000, 9_000, 10_000].map((startedAtMs) => {
      const verdict = judgeProbe(silence, { answered: false, startedAtMs, nowMs: startedAtMs })
      silence = verdict.silence
      return verdict.restart
    })
    expect(verdicts).toEqual([false, false, false, true])
    expect(silence).toBeUndefined()
  })

  it('does not take one failed probe for silence, however long the machine slept', () => {
    const probe = { answered: false, startedAtMs: 0, nowMs: 3_600_000 }
    expect(judgeProbe(undefined, probe).restart).toBe(false)
  })
})
