import os from 'node:os'

/**
 * The files that only compute, and the programs that they start, get a quarter of a core that others want too. Journeys run
 * beside them, and have leases, players and processes that must answer in time.
 */
const gentle = 5

os.setPriority(Math.max(os.getPriority(), gentle))
