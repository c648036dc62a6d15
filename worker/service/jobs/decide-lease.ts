/** An alarm comes within moments of its time. */
const promptMs = 3_000
/** A media worker that is alive reports at least this often, even if its last report failed. */
const longestSilenceMs = 30_000

/** `heardOut`: the attempt has already been given extra time to report. */
export type Lease = { leaseUntil: number; heardOut?: boolean }

/**
 * Returns the lease, or 'over'. If it ended long ago, this object was away and could not renew it; then the media worker
 * gets extra time to report, once.
 */
export function judgeLease(lease: Lease, leaseMs: number, now: number): Lease | 'over' {
  const { leaseUntil, heardOut } = lease
  // The clock was set back: the lease does not last longer by the time that was wrong.
  if (leaseUntil > now + leaseMs) return { ...lease, leaseUntil: now + leaseMs }
  if (leaseUntil > now) return lease
  if (heardOut || now - leaseUntil <= promptMs) return 'over'
  return { leaseUntil: now + Math.min(leaseMs, longestSilenceMs), heardOut: true }
}
