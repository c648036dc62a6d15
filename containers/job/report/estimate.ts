/** How long something takes, and the standard deviation of its logarithm. */
export type Estimate = { readonly ms: number; readonly spread: number }

/**
 * A run through the work of a phase, of which a rendering may have several. `first`: the first report of its progress, after
 * the program had started. `expected`: as long as the run before it.
 */
export type TimedPass = {
  readonly begunAt: number
  share: number
  heardAt: number
  first?: { readonly share: number; readonly at: number }
  readonly expected?: Estimate | undefined
}

/** Notes a share; one that falls back does not belong to a run that goes on. */
export function noteShare(pass: TimedPass, share: number, now: number): void {
  if (share <= pass.share) return
  pass.share = share
  pass.heardAt = now
  pass.first ??= { share, at: now }
}

/** A smaller share, or a shorter time, says nothing about the pace. */
const tellingShare = 0.01
const tellingMs = 300
/** The pace is told once this much more is done than at the first report: before that, the program was starting. */
export const tellingMore = 0.05

export const nothing: Estimate = { ms: 0, spread: 0 }

/** How much is left of work that has gone on for some time without a report. */
export function notYet({ ms, spread }: Estimate, sinceMs: number): Estimate {
  if (sinceMs < ms * 0.8) return { ms: ms - sinceMs, spread: (spread * ms) / (ms - sinceMs) }
  // Work that takes longer than expected is most likely not near its end.
  return { ms: Math.max(ms - sinceMs, sinceMs * 0.25), spread: Math.max(0.7, spread) }
}

/** Combines the expected pace with the measured one: the further the work, the more the measured pace counts. */
export function whenHeard(prior: Estimate, pass: TimedPass, startMs: number): Estimate {
  const rest = 1 - Math.min(pass.share, 0.999)
  const expected = { ms: prior.ms * rest, spread: prior.spread }
  const own = ownPace(pass, startMs)
  if (!own) return expected
  const shown = { ms: own.ms * rest, spread: own.spread + 0.3 * rest ** 2 }
  if (prior.ms === 0) return shown
  // A past pace that is far from the measured one is that of other footage.
  const apart = Math.abs(Math.log(shown.ms / expected.ms)) - shown.spread
  const [weight, other] = [1 / shown.spread ** 2, 1 / Math.max(prior.spread, apart) ** 2]
  const log = (Math.log(shown.ms) * weight + Math.log(expected.ms) * other) / (weight + other)
  return { ms: Math.exp(log), spread: 1 / Math.sqrt(weight + other) }
}

/** How long the whole work of a run takes, judged by its own progress. */
function ownPace(
  { begunAt, first, share, heardAt }: TimedPass,
  startMs: number,
): Estimate | undefined {
  if (!first || share < tellingShare) return undefined
  const more = share - first.share
  if (more >= tellingMore && heardAt - first.at >= tellingMs) {
    return { ms: (heardAt - first.at) / more, spread: 0.06 + 0.008 / more }
  }
  // Work without a program of its own begins with a step of another kind.
  if (startMs === 0) return undefined
  const start = Math.min(startMs, first.at - begunAt)
  const worked = heardAt - begunAt - start
  if (worked < tellingMs) return undefined
  return { ms: worked / share, spread: 0.06 + 0.008 / share + start / worked }
}

export function sum(all: readonly Estimate[]): Estimate {
  const ms = all.reduce((total, one) => total + one.ms, 0)
  if (ms === 0) return nothing
  const variance = all.reduce((total, one) => total + (one.ms * one.spread) ** 2, 0)
  return { ms, spread: Math.sqrt(variance) / ms }
}

export function later(a: Estimate, b: Estimate): Estimate {
  return a.ms >= b.ms ? a : b
}
