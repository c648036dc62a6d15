import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { parseAllowedHosts } from '../../worker/contract/public-url.ts'
import { parseOptionalRateLimits, parseRateLimits } from '../../worker/contract/rate-windows.ts'
import { parseUploadOrigins } from '../../worker/contract/upload-origins.ts'
import {
  defaultWebhookSchedule,
  parseWebhookSchedule,
} from '../../worker/contract/webhook-schedule.ts'
import { root } from '../machine/checkout.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { defaultAllowedHosts } from './default-allowed-hosts.ts'

const gibibyte = 1024 ** 3
const cores = availableParallelism()

function whole(min: number, max: number, fallback: number) {
  const rule = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,16}$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule)
    .default(fallback)
}

function seconds(fallback: number) {
  const rule = 'must be a number of seconds above 0'
  return z
    .string()
    .regex(/^\d{1,9}(\.\d{1,3})?$/, rule)
    .transform(Number)
    .refine((value) => value > 0, rule)
    .default(fallback)
}

/** Checked here, passed on as text: the Worker and the media workers parse it themselves. */
function checkedBy(check: (text: string) => unknown, fallback: string) {
  return z
    .string()
    .superRefine((text, context) => {
      try {
        check(text)
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        context.addIssue({ code: 'custom', message: `is not valid: ${message}` })
      }
    })
    .default(fallback)
}

const bytes = (fallback: number) => whole(1, 2 ** 50, fallback)

/** Quotes and dollars would mean something in the file that hands it to the Worker. */
const publicUrl = z
  .string()
  .regex(
    /^https?:\/\/[^\s/?#"'$\\]+(\/[^\s?#"'$\\]*)?$/,
    'must be an http or https address without query',
  )
  .refine((text) => URL.canParse(text), 'must be an http or https address without query')
  .transform((text) => text.replace(/\/+$/, ''))
  .optional()

const host = z
  .string()
  .refine((text) => isIP(text) !== 0, 'must be an IP address, such as 127.0.0.1 or 0.0.0.0')
  .default('127.0.0.1')

const provider = z
  .enum(['local', 'openai', 'cloudflare'], 'must be local, openai or cloudflare')
  .default('local')

const address = (fallback: string) =>
  z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).default(fallback)

const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
  .optional()

const name = z.string().regex(/^[@\w./:-]+$/, 'must be letters, digits and @ . _ / : - only')
const model = (fallback: string) => name.default(fallback)

const flag = z
  .enum(['0', '1'], 'must be 0 or 1')
  .transform((text) => text === '1')
  .default(false)

/**
 * On one's own machine nobody else needs protection, and a client that polls must not stop its own uploads. An operator who sets
 * RATE_LIMITS, as a deployed service has it, gets exactly that, for reads too.
 */
const localRateLimits = { RATE_LIMITS: '1000/60,20000/3600', READ_RATE_LIMITS: '6000/60' }

export const environment = z.object({
  HOST: host,
  PORT: whole(1, 65_535, 8787),
  SPOOL_DATA_DIR: z
    .string()
    .transform((text) => path.resolve(root, text))
    .default(path.join(root, '.spool')),
  BASE_URL: publicUrl,
  STORAGE_URL: publicUrl,
  UPLOAD_ORIGINS: checkedBy(parseUploadOrigins, ''),
  MEDIA_WORKERS: whole(1, 64, 1),
  MEDIA_SLOTS: whole(1, 256, Math.max(1, Math.floor(cores / 2))),
  MEDIA_FETCHING: whole(0, 256, 8),
  ALLOW_PRIVATE_HOSTS: checkedBy(parseAllowedHosts, ''),
  RATE_LIMITS: checkedBy(parseRateLimits, localRateLimits.RATE_LIMITS),
  READ_RATE_LIMITS: checkedBy(parseOptionalRateLimits, ''),
  LEASE_SECONDS: whole(1, 86_400, 60),
  MAX_ATTEMPTS: whole(1, 100, 3),
  MAX_QUEUE_SECONDS: whole(1, 31_536_000, 86_400),
  MAX_JOB_SECONDS: whole(1, 31_536_000, 43_200),
  WEBHOOK_SCHEDULE: checkedBy(parseWebhookSchedule, defaultWebhookSchedule),
  MAX_UPLOAD_BYTES: bytes(2 * gibibyte),
  MAX_SOURCE_BYTES: bytes(2 * gibibyte),
  MAX_SOURCE_SECONDS: seconds(14_400),
  MAX_JOB_INPUT_BYTES: bytes(6 * gibibyte),
  MAX_FETCH_SECONDS: seconds(1_800),
  MAX_OUTPUT_BYTES: bytes(4 * gibibyte),
  MAX_PIXELS: whole(1, 2 ** 40, 40_000_000),
  FFMPEG_THREADS: whole(1, 1024, cores),
  FFMPEG_MEMORY_BYTES: bytes(4 * gibibyte),
  STALL_SECONDS: seconds(60),
  SPEECH_PROVIDER: provider,
  SPEECH_MODEL_DIR: z
    .string()
    .transform((text) => path.resolve(root, text))
    .optional(),
  SPEECH_LANGUAGE_FLOOR: z
    .string()
    .regex(/^-\d(\.\d{1,3})?$/, 'must be a number from -9 to 0, such as -0.5')
    .default('-0.5'),
  SPEECH_MAX_AUDIO_BYTES: bytes(25 * 1024 ** 2),
  SPEECH_TIMEOUT_SECONDS: seconds(60),
  ANALYSIS_PROVIDER: provider,
  OPENAI_BASE_URL: address('https://api.openai.com/v1'),
  OPENAI_API_KEY: secret,
  OPENAI_SPEECH_MODEL: model('whisper-1'),
  OPENAI_VISION_MODEL: model('gpt-4o-mini'),
  CLOUDFLARE_BASE_URL: address('https://api.cloudflare.com/client/v4'),
  CLOUDFLARE_ACCOUNT_ID: name.optional(),
  CLOUDFLARE_API_TOKEN: secret,
  CLOUDFLARE_SPEECH_MODEL: model('@cf/openai/whisper-large-v3-turbo'),
  CLOUDFLARE_VISION_MODEL: model('@cf/meta/llama-4-scout-17b-16e-instruct'),
  SPOOL_VERBOSE: flag,
})

export type Settings = z.infer<typeof environment>
export type VariableName = keyof Settings

type Environment = Readonly<Record<string, string | undefined>>

/** Every faulty variable at once, each with its value and its rule. */
export function readSettings(env: Environment): Settings {
  const given = givenVariables(env)
  const defaults = given['RATE_LIMITS'] === undefined ? localRateLimits : {}
  const parsed = environment.safeParse({ ...defaults, ...given })
  if (parsed.success) return withDefaultHosts(parsed.data, env)
  const faults = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.')
    const isSecret = /_(KEY|TOKEN)$/.test(name)
    return `${name}=${isSecret ? '…' : (env[name] ?? '')} ${issue.message}`
  })
  throw new StopWithMessage(
    [...new Set(faults), 'See docs/configuration.md, or npm start -- --help.'].join('\n'),
    2,
  )
}

function withDefaultHosts(settings: Settings, env: Environment): Settings {
  if (env['ALLOW_PRIVATE_HOSTS'] !== undefined) return settings
  const reach = { host: settings.HOST, baseUrl: settings.BASE_URL }
  return { ...settings, ALLOW_PRIVATE_HOSTS: defaultAllowedHosts(reach) }
}

/** Set to nothing counts as absent, but for the list of hosts: there nothing means none. */
function givenVariables(env: Environment): Record<string, string> {
  const given: Record<string, string> = {}
  for (const name of Object.keys(environment.shape)) {
    const value = env[name]?.trim()
    if (value !== undefined && (value !== '' || name === 'ALLOW_PRIVATE_HOSTS')) given[name] = value
  }
  return given
}
