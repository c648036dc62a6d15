import { z } from 'zod'
import { parseOwnHosts, parseOwnPorts } from './contract/own-service.ts'
import { providerVariables } from './contract/provider-variables.ts'
import { parseAllowedHosts, type AllowedHosts } from './contract/public-url.ts'
import {
  parseOptionalRateLimits,
  parseRateLimits,
  type RateWindow,
} from './contract/rate-windows.ts'
import { parseUploadOrigins, type UploadOrigins } from './contract/upload-origins.ts'
import { defaultWebhookSchedule, parseWebhookSchedule } from './contract/webhook-schedule.ts'

/** The bindings of wrangler.toml. Text settings are read through `readSettings` only. */
export type Env = {
  DB: D1Database
  BUCKET: R2Bucket
  JOBS: Queue
  WEBHOOKS: Queue
  ASSETS: Fetcher
  GUESSES: RateLimit
  KEY_GATE: DurableObjectNamespace
  JOB_RUNNER: DurableObjectNamespace
  WEBHOOK_ENDPOINT: DurableObjectNamespace
}

const wholeNumber = (fallback: number) => z.coerce.number().int().min(1).default(fallback)
const base = z.url().transform((text) => text.replace(/\/+$/, ''))

/** Turns the parser's complaint into a fault of the setting it was given. */
function parsedBy<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context): Value => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof Error ? error.message : 'is not valid',
      })
      return z.NEVER
    }
  })
}

function providerTexts() {
  const optional = z.string().optional()
  return Object.fromEntries(providerVariables.map((name) => [name, optional]))
}

function givenTexts(raw: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    providerVariables.flatMap((name) => {
      const value = raw[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}

const settingsSchema = z.object({
  ENVIRONMENT: z.string().default('production'),
  /** Where clients and media workers reach this service. */
  BASE_URL: base,
  /** Where media workers reach it, if not there as well. */
  REPORT_URL: base.optional(),
  STORAGE_URL: base.optional(),
  SPOOL_SECRET: z.string().min(32),
  SPOOL_ADMIN_SECRET: z.string().min(32),
  /** Endpoint and bucket in one: part addresses are this, a slash, and the object key. */
  S3_ENDPOINT: base,
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  MEDIA_WORKER_URLS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((url) => url.trim().replace(/\/+$/, '') || [])),
  MEDIA_WORKER_TOKEN: z.string().min(16),
  ALLOW_PRIVATE_HOSTS: parsedBy(parseAllowedHosts).prefault(''),
  PRIVATE_FAULTS: z.enum(['told', 'kept']).default('kept'),
  OWN_PORTS: parsedBy(parseOwnPorts).prefault(''),
  OWN_HOSTS: parsedBy(parseOwnHosts).prefault(''),
  RATE_LIMITS: parsedBy(parseRateLimits).prefault('100/60,1000/3600'),
  READ_RATE_LIMITS: parsedBy(parseOptionalRateLimits).prefault(''),
  LEASE_SECONDS: wholeNumber(60),
  MAX_ATTEMPTS: wholeNumber(3),
  MAX_QUEUE_SECONDS: wholeNumber(86_400),
  MAX_JOB_SECONDS: wholeNumber(43_200),
  ...providerTexts(),
  MAX_UPLOAD_BYTES: wholeNumber(2_147_483_648),
  UPLOAD_ORIGINS: parsedBy(parseUploadOrigins).prefault(''),
  WEBHOOK_SCHEDULE: parsedBy(parseWebhookSchedule).prefault(defaultWebhookSchedule),
})

export type Settings = {
  environment: string
  baseUrl: string
  reportUrl: string
  storageUrl: string
  secret: string
  adminSecret: string
  s3: { endpoint: string; accessKeyId: string; secretAccessKey: string }
  mediaWorkers: { urls: string[]; token: string }
  /** Handed to containers as they are; the media worker in them checks them. */
  providers: Record<string, string>
  allowedHosts: AllowedHosts
  /** What went wrong at a host that only the list lets in is told to customers. */
  tellsPrivateFaults: boolean
  /** Every port of this machine that a process of the service listens on. */
  ownPorts: ReadonlySet<number>
  /** What this machine is called beside loopback. */
  ownHosts: ReadonlySet<string>
  /** Of keys whose account has no windows of its own. */
  ratePlan: { requests: RateWindow[]; reads: RateWindow[] | undefined }
  leaseMs: number
  maxAttempts: number
  maxQueueMs: number
  maxJobMs: number
  maxUploadBytes: number
  uploadOrigins: UploadOrigins
  /** How long each attempt of a webhook waits for after the one before it. */
  webhookScheduleMs: number[]
}

const read = new WeakMap<Env, Settings>()

/** Parsed once per isolate; a wrong setting names itself in the error. */
export function readSettings(env: Env): Settings {
  const known = read.get(env)
  if (known) return known
  const parsed = settingsSchema.safeParse(env)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`Settings are not valid. ${faults.join('; ')}`)
  }
  const settings = arrange(parsed.data)
  read.set(env, settings)
  return settings
}

function arrange(raw: z.infer<typeof settingsSchema>): Settings {
  return {
    environment: raw.ENVIRONMENT,
    baseUrl: raw.BASE_URL,
    reportUrl: raw.REPORT_URL ?? raw.BASE_URL,
    storageUrl: raw.STORAGE_URL ?? raw.BASE_URL,
    secret: raw.SPOOL_SECRET,
    adminSecret: raw.SPOOL_ADMIN_SECRET,
    s3: {
      endpoint: raw.S3_ENDPOINT,
      accessKeyId: raw.S3_ACCESS_KEY_ID,
      secretAccessKey: raw.S3_SECRET_ACCESS_KEY,
    },
    mediaWorkers: { urls: raw.MEDIA_WORKER_URLS, token: raw.MEDIA_WORKER_TOKEN },
    providers: givenTexts(raw),
    allowedHosts: raw.ALLOW_PRIVATE_HOSTS,
    tellsPrivateFaults: raw.PRIVATE_FAULTS === 'told',
    ownPorts: raw.OWN_PORTS,
    ownHosts: raw.OWN_HOSTS,
    ratePlan: { requests: raw.RATE_LIMITS, reads: raw.READ_RATE_LIMITS },
    leaseMs: raw.LEASE_SECONDS * 1000,
    maxAttempts: raw.MAX_ATTEMPTS,
    maxQueueMs: raw.MAX_QUEUE_SECONDS * 1000,
    maxJobMs: raw.MAX_JOB_SECONDS * 1000,
    maxUploadBytes: raw.MAX_UPLOAD_BYTES,
    uploadOrigins: raw.UPLOAD_ORIGINS,
    webhookScheduleMs: raw.WEBHOOK_SCHEDULE.map((seconds) => seconds * 1000),
  }
}
