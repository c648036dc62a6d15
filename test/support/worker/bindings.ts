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

/** What vitest.config.ts gives the Worker: real bindings, and settings of the tests. */
export const bindings = env as unknown as Env & Secrets

/** The Worker itself, by the door that HTTP uses. */
export const service = (exports as unknown as { default: Fetcher }).default

/** Bindings are made anew for every event, but share this: what is spied on here is spied on everywhere. */
export function prototypeOf<Binding extends object>(binding: Binding): Binding {
  return Object.getPrototypeOf(binding) as Binding
}
