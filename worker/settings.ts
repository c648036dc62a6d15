import type { TrustedProxies } from './contract/addresses/client-address.ts'
import type { AllowedHosts } from './contract/addresses/public-url.ts'
import type { RateWindow } from './contract/rate-windows.ts'
import { readSettingsFor } from './contract/settings/read-settings.ts'
import { providerNames, type ValuesFor } from './contract/settings/table.ts'
import type { UploadOrigins } from './contract/addresses/upload-address.ts'

/** The bindings of wrangler.toml. Text settings are read through `readSettings` only. */
export type Env = {
  DB: D1Database
  BUCKET: R2Bucket
  JOBS: Queue
  WEBHOOKS: Queue
  ASSETS: Fetcher
  /** How full the disk of the service is. Where it is deployed, or in `wrangler dev`, there is none to ask. */
  DISK?: Fetcher
  GUESSES: RateLimit
  KEY_GATE: DurableObjectNamespace
  JOB_RUNNER: DurableObjectNamespace
  WEBHOOK_ENDPOINT: DurableObjectNamespace
  COURIER: DurableObjectNamespace
  DISPATCHER: DurableObjectNamespace
}

export type Settings = {
  environment: string
  baseUrl: string
  reportUrl: string
  /** The media workers beside the service, and where they reach it; undefined if all reach the same addresses. */
  near: { url: string; workers: readonly string[] } | undefined
  storageUrl: string
  clientAddress: 'edge' | 'socket' | 'unknown'
  trustedProxies: TrustedProxies
  secret: string
  adminSecret: string
  s3: { endpoint: string; accessKeyId: string; secretAccessKey: string }
  mediaWorkers: { urls: string[]; token: string }
  /** Passed on to containers unchanged; the media worker in them checks them. */
  providers: Record<string, string>
  allowedHosts: AllowedHosts
  /**
   * True where only the person at the machine of the service can reach it, as far as `npm start` knows. Nobody else is told
   * what went wrong at a host that only the allow-list permits: they could use it to explore the network.
   */
  isForOwnerAlone: boolean
  /** Every port of this machine that a process of the service listens on. */
  ownPorts: ReadonlySet<number>
  /** The names and addresses of this machine besides loopback. */
  ownHosts: ReadonlySet<string>
  /** The windows of keys whose account has none of its own. */
  ratePlan: { requests: RateWindow[]; reads: RateWindow[] | undefined }
  leaseMs: number
  maxAttempts: number
  /** How many parts of films an account may have rendered at a time. 1: one media worker renders each film alone. */
  maxParts: number
  /** How long words that were heard are kept for later videos. 0: not at all. */
  keptWordsMs: number
  maxQueueMs: number
  maxJobMs: number
  /** The prices with which plans reckon the cost of a video. */
  prices: { cpuSecond: number; gigabyte: number }
  maxUploadBytes: number
  mostDatabaseBytes: number
  /** The most that the files of an account may take. 0: no limit. */
  mostAccountBytes: number
  /** What the disk of the service keeps free; undefined: chosen from the disk. */
  minFreeBytes: number | undefined
  uploadOrigins: UploadOrigins
  /** How long each attempt of a webhook waits after the one before it. */
  webhookScheduleMs: number[]
  signUp: 'open' | 'invited' | 'closed'
  /** undefined: no mail API is set. */
  mail: { url: string; key: string; from: string } | undefined
}

/** No setting that the Worker reads has a default that depends on the machine. */
const machine = { cores: 1 }
const read = new WeakMap<Env, Settings>()

/** Settings are parsed once per isolate; the error names the setting that is wrong. */
export function readSettings(env: Env): Settings {
  const known = read.get(env)
  if (known) return known
  const { values, faults } = readSettingsFor('worker', { ...env }, machine)
  if (!values) {
    const lines = faults.map(({ name, rule }) => `${name} ${rule}`)
    throw new Error(`Settings are not valid. ${lines.join('; ')}`)
  }
  const settings = arrange(values, providersOf({ ...env }))
  read.set(env, settings)
  return settings
}

function providersOf(env: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    providerNames.flatMap((name) => {
      const value = env[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}

function arrange(values: ValuesFor<'worker'>, providers: Record<string, string>): Settings {
  return {
    environment: values.ENVIRONMENT,
    baseUrl: values.BASE_URL,
    reportUrl: values.REPORT_URL ?? values.BASE_URL,
    near:
      values.NEAR_URL === undefined
        ? undefined
        : { url: values.NEAR_URL, workers: values.NEAR_MEDIA_WORKERS },
    storageUrl: values.STORAGE_URL ?? values.BASE_URL,
    clientAddress: values.CLIENT_ADDRESS ?? (values.ENVIRONMENT === 'local' ? 'unknown' : 'edge'),
    trustedProxies: values.TRUSTED_PROXIES,
    secret: values.SPOOL_SECRET,
    adminSecret: values.SPOOL_ADMIN_SECRET,
    s3: {
      endpoint: values.S3_ENDPOINT,
      accessKeyId: values.S3_ACCESS_KEY_ID,
      secretAccessKey: values.S3_SECRET_ACCESS_KEY,
    },
    mediaWorkers: { urls: values.MEDIA_WORKER_URLS, token: values.MEDIA_WORKER_TOKEN },
    providers,
    allowedHosts: values.ALLOW_PRIVATE_HOSTS,
    isForOwnerAlone: values.REACH === 'owner',
    ownPorts: values.OWN_PORTS,
    ownHosts: values.OWN_HOSTS,
    ratePlan: { requests: values.RATE_LIMITS, reads: values.READ_RATE_LIMITS },
    leaseMs: values.LEASE_SECONDS * 1000,
    maxAttempts: values.MAX_ATTEMPTS,
    maxParts: values.MAX_PARTS,
    keptWordsMs: values.INTERMEDIATE_HOURS * 3_600_000,
    maxQueueMs: values.MAX_QUEUE_SECONDS * 1000,
    maxJobMs: values.MAX_JOB_SECONDS * 1000,
    prices: { cpuSecond: values.PRICE_PER_CPU_SECOND, gigabyte: values.PRICE_PER_GB },
    maxUploadBytes: values.MAX_UPLOAD_BYTES,
    mostDatabaseBytes: values.MAX_DATABASE_BYTES,
    mostAccountBytes: values.MAX_ACCOUNT_BYTES,
    minFreeBytes: values.MIN_FREE_BYTES,
    uploadOrigins: values.UPLOAD_ORIGINS,
    webhookScheduleMs: values.WEBHOOK_SCHEDULE.map((seconds) => seconds * 1000),
    signUp: values.SIGN_UP,
    mail: mailOf(values),
  }
}

function mailOf({ MAIL_API_URL, MAIL_API_KEY, MAIL_FROM }: ValuesFor<'worker'>): Settings['mail'] {
  if (MAIL_API_URL === undefined) return undefined
  if (MAIL_API_KEY === undefined || MAIL_FROM === undefined) {
    throw new Error('Settings are not valid. MAIL_API_URL needs MAIL_API_KEY and MAIL_FROM')
  }
  return { url: MAIL_API_URL, key: MAIL_API_KEY, from: MAIL_FROM }
}
