import type { Reader } from '../../../worker/contract/settings/setting.ts'
import { isSecretSetting, settingsReadBy } from '../../../worker/contract/settings/table.ts'
import { machineVariables } from '../../machine/machine-variables.ts'
import { isForItsOwnerAlone, reachOf } from '../default-allowed-hosts.ts'
import type { ServiceRun } from '../run.ts'
import type { Secrets } from '../data/secrets.ts'
import type { Settings } from '../settings.ts'

type Variables = Record<string, string>

/** The bucket of wrangler.toml, and the path at which the simulator serves buckets. */
const localBucket = 'spool-media'
export const simulatorPath = '/cdn-cgi/local/r2/s3/'

/** The address of the service on this machine. */
export function baseUrlOf({ HOST, PORT }: Settings): string {
  const everywhere = ['0.0.0.0', '::'].includes(HOST)
  const host = everywhere ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

/** The variables and secrets of the Worker, as production gets them from wrangler.toml and `wrangler secret`. */
export function workerVariables(run: ServiceRun, mediaWorkerUrls: readonly string[]): Variables {
  const { settings, secrets } = run
  const here = baseUrlOf(settings)
  const baseUrl = settings.BASE_URL ?? here
  return {
    ...textsFor('worker', settings),
    ENVIRONMENT: 'local',
    BASE_URL: baseUrl,
    REPORT_URL: here,
    ...(run.host
      ? containerVariables(settings, run.host.gateway)
      : reachVariables(settings, baseUrl, mediaWorkerUrls)),
    STORAGE_URL: settings.STORAGE_URL ?? baseUrl,
    S3_ENDPOINT: `${simulatorOf(run)}${simulatorPath}${localBucket}`,
    S3_ACCESS_KEY_ID: secrets.s3AccessKeyId,
    S3_SECRET_ACCESS_KEY: secrets.s3SecretAccessKey,
    SPOOL_SECRET: secrets.spoolSecret,
    SPOOL_ADMIN_SECRET: secrets.adminSecret,
    MEDIA_WORKER_TOKEN: settings.texts.MEDIA_WORKER_TOKEN ?? secrets.mediaWorkerToken,
    REACH: whoReaches(settings),
    // In front of `wrangler dev` stands a server of its own.
    ...(run.mode === 'server' ? { CLIENT_ADDRESS: 'socket' } : {}),
  }
}

/** No media worker has an address; containers reach the service by the bridge, and its bucket through it. */
function containerVariables(settings: Settings, gateway: string): Variables {
  return {
    REPORT_URL: `http://${gateway}:${settings.PORT}`,
    NEAR_URL: baseUrlOf(settings),
    NEAR_MEDIA_WORKERS: '',
  }
}

/** Media workers on other machines use the address for clients; those that are started here need not leave the machine. */
function reachVariables(settings: Settings, baseUrl: string, own: readonly string[]): Variables {
  const remote = settings.MEDIA_WORKER_URLS
  const all = { MEDIA_WORKER_URLS: [...own, ...remote].join(',') }
  if (remote.length === 0) return all
  return {
    ...all,
    REPORT_URL: settings.REPORT_URL ?? baseUrl,
    NEAR_URL: baseUrlOf(settings),
    NEAR_MEDIA_WORKERS: own.join(','),
  }
}

/** The settings that one part reads: the operator's values, or their defaults. */
function textsFor(part: Reader, { texts }: Settings): Variables {
  const read = settingsReadBy(part).map(([name]) => [name, texts[name]] as const)
  return Object.fromEntries(
    read.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
  )
}

/** `wrangler dev` has one socket for everything; the server keeps the simulator on its own. */
export function simulatorOf({ mode, settings, ports }: ServiceRun): string {
  return mode === 'server' ? `http://127.0.0.1:${ports.entry}` : baseUrlOf(settings)
}

/** The owner of the machine may see details with which others could explore the network. */
function whoReaches(settings: Settings): 'owner' | 'others' {
  return isForItsOwnerAlone(reachOf(settings)) ? 'owner' : 'others'
}

/** Uses single quotes, inside which nothing is expanded. No value contains one; the settings ensure that. */
export function envFileText(variables: Variables): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
}

/** The text that a media worker reads from its descriptor. */
export function mediaSecrets(settings: Settings, { mediaWorkerToken }: Secrets): string {
  const told = { MEDIA_WORKER_TOKEN: mediaWorkerToken, ...textsFor('media', settings) }
  return withoutSecrets(told).secrets
}

/** Divides the settings of a media worker: no environment has its secrets, so they come through a descriptor. */
export function withoutSecrets(texts: Variables): { open: Variables; secrets: string } {
  const entries = Object.entries(texts)
  const secrets = entries.filter(([name, text]) => isSecretSetting(name) && text !== '')
  return {
    open: Object.fromEntries(entries.filter(([name]) => !isSecretSetting(name))),
    secrets: secrets.map(([name, text]) => `${name}=${text}\n`).join(''),
  }
}

export function mediaVariables(
  settings: Settings,
  place: { port: number; workDirectory: string },
): Variables {
  return {
    ...machineVariables(),
    ...withoutSecrets(textsFor('media', settings)).open,
    MEDIA_HOST: '127.0.0.1',
    MEDIA_PORT: String(place.port),
    MEDIA_SECRETS_FD: '3',
    SPOOL_WORK_DIR: place.workDirectory,
    LOG_PROGRESS: '1',
    REACH: whoReaches(settings),
  }
}

/** Inherited by workerd; distinguishes the orphans of one service from those of another. */
export const serviceMarker = 'SPOOL_SERVICE'
