import type { Preset, PutStorage, Storage } from './api-types.ts'
import { SpoolError } from './errors.ts'
import type { Fetch } from './http/exchange.ts'
import { realTiming } from './http/timing.ts'
import { Transport } from './http/transport.ts'
import { Batches } from './resources/batches.ts'
import { Jobs } from './resources/jobs.ts'
import { Keys } from './resources/keys.ts'
import { Named } from './resources/named.ts'
import type { TemplatedPreset } from './resources/templates.ts'
import { Transcripts } from './resources/transcripts.ts'
import { Uploads } from './resources/uploads.ts'
import { Usage } from './resources/usage.ts'
import { Videos } from './resources/videos.ts'
import { Webhooks } from './resources/webhooks.ts'

export type SpoolOptions = {
  /** When absent: SPOOL_API_KEY, where there is an environment. */
  apiKey?: string | undefined
  /** The address of the service, such as `http://127.0.0.1:8787`. When absent: SPOOL_BASE_URL. */
  baseUrl?: string | undefined
  /** For `webhooks.unwrap`. */
  webhookSecret?: string | undefined
  /** How long one attempt may take; 60 s when absent. */
  timeoutMs?: number | undefined
  /** How often a call is tried again that failed for a passing reason; 5 when absent. */
  maxRetries?: number | undefined
  /** Used instead of the global one. */
  fetch?: Fetch | undefined
}

/** A client of one Spool service, with one API key. Keys belong on servers, not in pages. */
export class Spool {
  readonly videos: Videos
  readonly transcripts: Transcripts
  readonly uploads: Uploads
  readonly batches: Batches
  readonly jobs: Jobs
  /** Options kept under a name; a create starts from them with `preset`. */
  readonly presets: Named<Preset, TemplatedPreset>
  /** Buckets of your own: a source is `storage://name/key`, and results are delivered to them. */
  readonly storages: Named<Storage, PutStorage>
  readonly webhooks: Webhooks
  readonly keys: Keys
  readonly usage: Usage

  constructor(options: SpoolOptions = {}) {
    const transport = new Transport({
      apiKey: readApiKey(options.apiKey ?? variable('SPOOL_API_KEY')),
      baseUrl: readBaseUrl(options.baseUrl ?? variable('SPOOL_BASE_URL')),
      timeoutMs: options.timeoutMs ?? 60_000,
      maxRetries: options.maxRetries ?? 5,
      // Looked up at every call: the global one may be replaced, and must not be called as a method.
      fetch: options.fetch ?? (async (url, init) => fetch(url, init)),
      timing: realTiming,
    })
    this.uploads = new Uploads(transport)
    this.videos = new Videos(transport, this.uploads)
    this.transcripts = new Transcripts(transport)
    this.batches = new Batches(transport)
    this.jobs = new Jobs(transport)
    this.presets = new Named(transport, '/v1/presets')
    this.storages = new Named(transport, '/v1/storages')
    this.webhooks = new Webhooks(transport, options.webhookSecret)
    this.keys = new Keys(transport)
    this.usage = new Usage(transport)
  }
}

function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  const value = process?.env?.[name]
  return value === '' ? undefined : value
}

/** A key that was copied with a line break would otherwise be shown in the error of the header that carries it. */
function readApiKey(given: string | undefined): string {
  const key = given?.trim() ?? ''
  if (key === '') throw new SpoolError('An API key is missing: pass apiKey, or set SPOOL_API_KEY.')
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new SpoolError('The API key contains characters that no key has.')
  return key
}

function readBaseUrl(given: string | undefined): string {
  if (given === undefined) {
    throw new SpoolError(
      'The address of the service is missing: pass baseUrl, or set SPOOL_BASE_URL.',
    )
  }
  const url = parseUrl(given)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new SpoolError(`The baseUrl must begin with https:// or http://, but is ${given}`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    // Not an address; the caller says what one looks like.
    return undefined
  }
}
