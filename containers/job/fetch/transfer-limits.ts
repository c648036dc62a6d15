import { arrivalPace } from '../../../worker/contract/limits.ts'
import type { OwnService } from '../../../worker/contract/addresses/own-service.ts'
import type { AllowedHosts } from '../../../worker/contract/addresses/public-url.ts'
import type { LeastPace } from './arrival-pace.ts'
import { privatePatienceMs } from './private-host-secrecy.ts'
import type { Resolve } from './vetted-lookup.ts'

export type TransferLimits = {
  readonly allowedHosts: AllowedHosts
  readonly own: OwnService
  readonly maxSourceBytes: number
  readonly maxJobInputBytes: number
  /** The disk space that the inputs may use. */
  readonly roomBytes: number
  readonly connectMs: number
  readonly idleMs: number
  /** The pace that each try of each input must keep. */
  readonly pace: LeastPace
  /** The time for all inputs together, including every try. */
  readonly totalMs: number
  /**
   * The most bytes that one request to the service's storage asks for. A local bucket and a Worker keep in memory whatever they
   * have read for an answer until it is taken.
   */
  readonly ownPieceBytes: number
  /** Pauses before the second, third, … try. */
  readonly backoffMs: readonly number[]
  readonly resolve?: Resolve
  /** How long a private host may take for the beginning of a file, and how long each of its failures takes. */
  readonly privatePatienceMs: number
  /** Tells why a host failed that only the allow-list permits, because nobody else can request such a host. */
  readonly tellsPrivateFaults?: boolean
  /** Which hosts are private; if absent, those that only the allow-list permits. */
  readonly isPrivate?: (url: URL) => boolean
}

export const transferDefaults = {
  connectMs: 10_000,
  idleMs: 30_000,
  // Enough for 2 GB at 10 Mbit/s.
  totalMs: 1_800_000,
  pace: arrivalPace,
  ownPieceBytes: 64 * 1024 * 1024,
  backoffMs: [500, 2_000],
  privatePatienceMs,
} as const
