import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { closeToOthers } from './close-to-others.ts'

/** The paths of everything in SPOOL_DATA_DIR, named once. */
export function dataDirectory(base: string) {
  const at = (...parts: string[]) => path.join(base, ...parts)
  return {
    base,
    /** The data of the runtime: D1, R2, Durable Objects. */
    state: at('state'),
    secrets: at('secrets.json'),
    localAccount: at('local-account.json'),
    workerEnv: at('worker.env'),
    devFile: at('dev.json'),
    /** The running processes, for the next start to find. */
    processes: at('pids.json'),
    /** The backup that is being made. */
    backupLock: at('backup.json'),
    /** What a restore has copied so far; it is gone when the restore is complete. */
    restoring: at('restoring'),
    logs: at('logs'),
    /** Speech models that `npm run models` has fetched. */
    models: at('models'),
    work: (number: number) => at('work', String(number)),
    /** Temporary files of running programs; emptied at every start. */
    temporary: at('tmp'),
    /** Wrangler's configuration, cache and registry of running Workers, separate for every service. */
    wrangler: at('wrangler'),
    /** wrangler.toml as this data directory needs it. */
    devConfig: at('wrangler', 'wrangler.toml'),
  }
}
export type DataDirectory = ReturnType<typeof dataDirectory>

export function createDataDirectory(base: string): DataDirectory {
  const data = dataDirectory(base)
  // Secrets, sources and results belong to one user and nobody else may read them.
  mkdirSync(base, { recursive: true, mode: 0o700 })
  closeToOthers(data)
  mkdirSync(data.logs, { recursive: true, mode: 0o700 })
  return data
}
