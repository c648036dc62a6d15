import { env, exports } from 'cloudflare:workers'
import type { Env } from '../../../worker/settings.ts'

type Secrets = {
  BASE_URL: string
  STORAGE_URL: string
  SPOOL_SECRET: string
  SPOOL_ADMIN_SECRET: string
  MEDIA_WORKER_URLS: string
  MEDIA_WORKER_TOKEN: string
}

/** The bindings of vitest.config.ts: real ones, and settings for the tests. */
export const bindings = env as unknown as Env & Secrets

/** The Worker itself, called in the way that HTTP calls it. */
export const service = (exports as unknown as { default: Fetcher }).default

/** Bindings are created for every event, but share this prototype: a spy on it works everywhere. */
export function prototypeOf<Binding extends object>(binding: Binding): Binding {
  return Object.getPrototypeOf(binding) as Binding
}
