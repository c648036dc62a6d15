import {
  providerVariables,
  secretMediaVariables,
} from '../../worker/contract/provider-variables.ts'
import { machineVariables } from '../machine/machine-variables.ts'
import { isForItsOwnerAlone } from './default-allowed-hosts.ts'
import type { Run } from './run.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

type Variables = Record<string, string>

/** The bucket of wrangler.toml, and where the simulator serves buckets. */
const localBucket = 'spool-media'
export const simulatorPath = '/cdn-cgi/local/r2/s3/'

/** Where the service answers on this machine. */
export function baseUrlOf({ HOST, PORT }: Settings): string {
  const everywhere = ['0.0.0.0', '::'].includes(HOST)
  const host = everywhere ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

/** The variables and secrets of the Worker, as production gets them from wrangler.toml and `wrangler secret`. */
export function workerVariables(run: Run, mediaWorkerUrls: readonly string[]): Variables {
  const { settings, secrets } = run
  const here = baseUrlOf(settings)
  const baseUrl = settings.BASE_URL ?? here
  return {
    ENVIRONMENT: 'local',
    BASE_URL: baseUrl,
    REPORT_URL: here,
    STORAGE_URL: settings.STORAGE_URL ?? baseUrl,
    UPLOAD_ORIGINS: settings.UPLOAD_ORIGINS,
    S3_ENDPOINT: `${simulatorOf(run)}${simulatorPath}${localBucket}`,
    S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
    SPOOL_SECRET: secrets.spoolSecret,
    SPOOL_ADMIN_SECRET: secrets.adminSecret,
    MEDIA_WORKER_URLS: mediaWorkerUrls.join(','),
    MEDIA_WORKER_TOKEN: secrets.mediaWorkerToken,
    ALLOW_PRIVATE_HOSTS: settings.ALLOW_PRIVATE_HOSTS,
    PRIVATE_FAULTS: privateFaults(settings),
    RATE_LIMITS: settings.RATE_LIMITS,
    READ_RATE_LIMITS: settings.READ_RATE_LIMITS,
    LEASE_SECONDS: String(settings.LEASE_SECONDS),
    MAX_ATTEMPTS: String(settings.MAX_ATTEMPTS),
    MAX_QUEUE_SECONDS: String(settings.MAX_QUEUE_SECONDS),
    MAX_JOB_SECONDS: String(settings.MAX_JOB_SECONDS),
    WEBHOOK_SCHEDULE: settings.WEBHOOK_SCHEDULE,
    MAX_UPLOAD_BYTES: String(settings.MAX_UPLOAD_BYTES),
  }
}

/** `wrangler dev` has one socket for everybody; the server keeps the simulator to itself. */
export function simulatorOf({ mode, settings, ports }: Run): string {
  return mode === 'server' ? `http://127.0.0.1:${ports.entry}` : baseUrlOf(settings)
}

/** What a private host did wrong is told to its owner, and kept from others: they could look around with it. */
function privateFaults({ HOST, BASE_URL }: Settings): 'told' | 'kept' {
  return isForItsOwnerAlone({ host: HOST, baseUrl: BASE_URL }) ? 'told' : 'kept'
}

/** Single quotes: nothing inside them is expanded. No value can hold one; the settings see to that. */
export function envFileText(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
}

const isSecret = (name: string): boolean => secretMediaVariables.some((secret) => secret === name)

/** What a media worker reads from its descriptor. */
export function mediaSecrets(settings: Settings, { mediaWorkerToken }: Secrets): string {
  const told = { MEDIA_WORKER_TOKEN: mediaWorkerToken, ...providerSettings(settings) }
  const lines = Object.entries(told).filter(([name]) => isSecret(name))
  return lines.map(([name, value]) => `${name}=${value}\n`).join('')
}

export function mediaVariables(
  settings: Settings,
  place: { port: number; workDirectory: string },
): Variables {
  return {
    ...machineVariables(),
    MEDIA_HOST: '127.0.0.1',
    MEDIA_PORT: String(place.port),
    MEDIA_SECRETS_FD: '3',
    MEDIA_SLOTS: String(settings.MEDIA_SLOTS),
    MEDIA_FETCHING: String(settings.MEDIA_FETCHING),
    SPOOL_WORK_DIR: place.workDirectory,
    LOG_PROGRESS: '1',
    SPOOL_DATA_DIR: settings.SPOOL_DATA_DIR,
    ALLOW_PRIVATE_HOSTS: settings.ALLOW_PRIVATE_HOSTS,
    PRIVATE_FAULTS: privateFaults(settings),
    MAX_SOURCE_BYTES: String(settings.MAX_SOURCE_BYTES),
    MAX_SOURCE_SECONDS: String(settings.MAX_SOURCE_SECONDS),
    MAX_JOB_INPUT_BYTES: String(settings.MAX_JOB_INPUT_BYTES),
    MAX_FETCH_SECONDS: String(settings.MAX_FETCH_SECONDS),
    MAX_OUTPUT_BYTES: String(settings.MAX_OUTPUT_BYTES),
    MAX_PIXELS: String(settings.MAX_PIXELS),
    FFMPEG_THREADS: String(settings.FFMPEG_THREADS),
    FFMPEG_MEMORY_BYTES: String(settings.FFMPEG_MEMORY_BYTES),
    STALL_SECONDS: String(settings.STALL_SECONDS),
    ...withoutSecrets(providerSettings(settings)),
  }
}

function withoutSecrets(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !isSecret(name)))
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

/** Inherited by workerd: tells one service's orphan from another's. */
export const serviceMarker = 'SPOOL_SERVICE'
