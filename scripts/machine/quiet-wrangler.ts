import path from 'node:path'
import { machineVariables } from './machine-variables.ts'

/**
 * Keeps Wrangler quiet: no login, no telemetry, no update check, no prompt. It keeps its configuration, cache and
 * registry of running Workers in the folder.
 */
export function quietWrangler(folder: string): Record<string, string> {
  const own = (name: string) => path.join(folder, name)
  return {
    ...machineVariables(),
    CI: '1',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    XDG_CONFIG_HOME: own('config'),
    WRANGLER_CACHE_DIR: own('cache'),
    WRANGLER_REGISTRY_PATH: own('registry'),
    WRANGLER_LOG_PATH: own('logs'),
    // What it prints is kept, without the tokens in addresses; its own log files would contain them.
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    // The explorer would show database, files and objects to anybody who reaches the port, without a key.
    X_LOCAL_EXPLORER: 'false',
    // This would store a trace of every request and query, which nobody here reads.
    X_LOCAL_OBSERVABILITY: 'false',
  }
}
