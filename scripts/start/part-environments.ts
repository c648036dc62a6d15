import path from 'node:path'
import { providerVariables } from '../../worker/contract/provider-variables.ts'
import { binaries } from '../machine/checkout.ts'
import type { DataDirectory } from './data-directory.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

type Variables = Record<string, string>

/** The bucket and the credentials of the S3 endpoint that wrangler serves locally; wrangler.toml names the same. */
const localBucket = 'spool-media'
const localS3 = { accessKeyId: 'local', secretAccessKey: 'localsecret' }

export const baseUrlOf = (settings: Settings): string => `http://127.0.0.1:${settings.PORT}`

/** What a program needs from this machine, and nothing of whoever started it. */
function machineVariables(): Variables {
  const { HOME, TMPDIR, LANG } = process.env
  return {
    PATH: [binaries, process.env['PATH'] ?? ''].join(path.delimiter),
    ...(HOME === undefined ? {} : { HOME }),
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(LANG === undefined ? {} : { LANG }),
  }
}

/** The variables and secrets of the Worker, as production gets them from wrangler.toml and `wrangler secret`. */
export function workerVariables(
  settings: Settings,
  secrets: Secrets,
  mediaWorkerUrls: readonly string[],
): Variables {
  const baseUrl = baseUrlOf(settings)
  return {
    ENVIRONMENT: 'local',
    BASE_URL: baseUrl,
    STORAGE_URL: settings.STORAGE_URL ?? baseUrl,
    UPLOAD_ORIGINS: settings.UPLOAD_ORIGINS,
    S3_ENDPOINT: `${baseUrl}/cdn-cgi/local/r2/s3/${localBucket}`,
    S3_ACCESS_KEY_ID: localS3.accessKeyId,
    S3_SECRET_ACCESS_KEY: localS3.secretAccessKey,
    SPOOL_SECRET: secrets.spoolSecret,
    SPOOL_ADMIN_SECRET: secrets.adminSecret,
    MEDIA_WORKER_URLS: mediaWorkerUrls.join(','),
    MEDIA_WORKER_TOKEN: secrets.mediaWorkerToken,
    ALLOW_PRIVATE_HOSTS: settings.ALLOW_PRIVATE_HOSTS,
    RATE_LIMITS: settings.RATE_LIMITS,
    LEASE_SECONDS: String(settings.LEASE_SECONDS),
    MAX_ATTEMPTS: String(settings.MAX_ATTEMPTS),
    MAX_QUEUE_SECONDS: String(settings.MAX_QUEUE_SECONDS),
    MAX_JOB_SECONDS: String(settings.MAX_JOB_SECONDS),
    WEBHOOK_SCHEDULE: settings.WEBHOOK_SCHEDULE,
    MAX_UPLOAD_BYTES: String(settings.MAX_UPLOAD_BYTES),
  }
}

/** Single quotes: nothing inside them is expanded. No value can hold one; the settings see to that. */
export function envFileText(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
}

export function mediaVariables(
  settings: Settings,
  secrets: Secrets,
  place: { port: number; workDirectory: string },
): Variables {
  return {
    ...machineVariables(),
    MEDIA_HOST: '127.0.0.1',
    MEDIA_PORT: String(place.port),
    MEDIA_WORKER_TOKEN: secrets.mediaWorkerToken,
    MEDIA_SLOTS: String(settings.MEDIA_SLOTS),
    SPOOL_WORK_DIR: place.workDirectory,
    ALLOW_PRIVATE_HOSTS: settings.ALLOW_PRIVATE_HOSTS,
    MAX_SOURCE_BYTES: String(settings.MAX_SOURCE_BYTES),
    MAX_SOURCE_SECONDS: String(settings.MAX_SOURCE_SECONDS),
    MAX_JOB_INPUT_BYTES: String(settings.MAX_JOB_INPUT_BYTES),
    MAX_OUTPUT_BYTES: String(settings.MAX_OUTPUT_BYTES),
    MAX_PIXELS: String(settings.MAX_PIXELS),
    FFMPEG_THREADS: String(settings.FFMPEG_THREADS),
    FFMPEG_MEMORY_BYTES: String(settings.FFMPEG_MEMORY_BYTES),
    STALL_SECONDS: String(settings.STALL_SECONDS),
    ...providerSettings(settings),
  }
}

/** A key that is not set is not handed on either. */
function providerSettings(settings: Settings): Variables {
  return Object.fromEntries(
    providerVariables.flatMap((name) => {
      const value = settings[name]
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
}

/** Wrangler must ask nobody anything: no login, no telemetry, no look for updates, no prompt. */
export function wranglerVariables(data: DataDirectory): Variables {
  const own = (name: string) => path.join(data.wrangler, name)
  return {
    ...machineVariables(),
    CI: '1',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
    XDG_CONFIG_HOME: own('config'),
    WRANGLER_CACHE_DIR: own('cache'),
    WRANGLER_REGISTRY_PATH: own('registry'),
    WRANGLER_LOG_PATH: own('logs'),
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_SEND_ERROR_REPORTS: 'false',
    WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    // It would show database, files and objects to whoever reaches the port, without a key.
    X_LOCAL_EXPLORER: 'false',
    // It would keep a trace of every request and query on the disk, which nobody here reads, and take its time for it.
    X_LOCAL_OBSERVABILITY: 'false',
    // Tells wrangler to start no inspector of its own: every log line would go through it, which takes a sixth of the
    // processor time of a status read.
    VSCODE_INSPECTOR_OPTIONS: '{}',
    [serviceMarker]: data.base,
  }
}

/** Inherited by workerd: tells one service's orphan from another's. */
export const serviceMarker = 'SPOOL_SERVICE'
