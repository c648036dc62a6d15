import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { closeToOthers } from './close-to-others.ts'

/** Every place below SPOOL_DATA_DIR, named once. */
export function dataDirectory(base: string) {
  const at = (...parts: string[]) => path.join(base, ...parts)
  return {
    base,
    /** What the runtime keeps: D1, R2, Durable Objects. */
    state: at('state'),
    secrets: at('secrets.json'),
    localAccount: at('local-account.json'),
    workerEnv: at('worker.env'),
    devFile: at('dev.json'),
    /** Who runs here, for the next start to find. */
    processes: at('pids.json'),
    logs: at('logs'),
    work: (number: number) => at('work', String(number)),
    /** Of running programs; emptied at every start. */
    temporary: at('tmp'),
    /** Wrangler's own configuration, cache and registry of running Workers: apart for every service. */
    wrangler: at('wrangler'),
    /** wrangler.toml as this data directory needs it. */
    devConfig: at('wrangler', 'wrangler.toml'),
  }
}
export type DataDirectory = ReturnType<typeof dataDirectory>

export function createDataDirectory(base: string): DataDirectory {
  const data = dataDirectory(base)
  // Secrets, sources and results of one user: nobody else's business.
  mkdirSync(base, { recursive: true, mode: 0o700 })
  closeToOthers(data)
  mkdirSync(data.logs, { recursive: true, mode: 0o700 })
  return data
}
