/** For what takes seconds where nothing else runs: on a machine that others keep busy, minutes. */
export const heavy = { timeout: 300_000 }
