/** An alarm rings within moments of its time. */
const promptMs = 3_000
/** A media worker that lives is heard at least so often, even when its last report was in vain. */
const longestSilenceMs = 30_000

/** `heardOut`: the attempt was given its time to be heard already. */
export type Lease = { leaseUntil: number; heardOut?: boolean }

/**
 * The lease as it stands, unless it is over. Who finds that it ended long ago was away meanwhile, and nobody could renew
 * it: then the media worker is heard out, once.
 */
export function judgeLease(lease: Lease, leaseMs: number, now: number): Lease | 'over' {
  const { leaseUntil, heardOut } = lease
  if (leaseUntil > now) return lease
  if (heardOut || now - leaseUntil <= promptMs) return 'over'
  return { leaseUntil: now + Math.min(leaseMs, longestSilenceMs), heardOut: true }
}
