const { FAST_CHECK_SEED = '20261121', FAST_CHECK_TIMES = '1' } = process.env

/**
 * The same inputs in every run, so that only a change can make a property fail. To explore further, use other seeds and
 * more runs: `FAST_CHECK_SEED=7 FAST_CHECK_TIMES=20 npm test -- test/contract`.
 */
export function seeded(numRuns = 100): { seed: number; numRuns: number } {
  return { seed: Number(FAST_CHECK_SEED), numRuns: numRuns * Number(FAST_CHECK_TIMES) }
}
