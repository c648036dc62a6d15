import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import type { ProviderVariable } from '../worker/contract/provider-variables.ts'
import { parseOwnPorts } from '../worker/contract/own-service.ts'
import { parseAllowedHosts } from '../worker/contract/public-url.ts'

const gibibyte = 1024 ** 3

const count = (min: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min, `must be at least ${min}`)

const seconds = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,3})?$/, 'must be a number of seconds')
  .transform(Number)
  .refine((value) => value > 0, 'must be above 0')

const languageFloor = z
  .string()
  .regex(/^-\d(\.\d{1,3})?$/, 'must be a number from -9.999 to -0')
  .transform(Number)

function parsedBy<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context): Value => {
    try {
      return parse(text)
    } catch (error) {
      const message = error instanceof Error ? error.message : 'is not valid'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
  })
}

const provider = z
  .enum(['local', 'openai', 'cloudflare'], 'must be local, openai or cloudflare')
  .default('local')

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((text) => text.replace(/\/+$/, ''))

/** Stands in a header. */
const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
  .optional()

/** Stands in a path. */
const model = z.string().regex(/^[@\w./:-]+$/, 'must be the name of a model')

const environment = z.object({
  MEDIA_HOST: z.string().default('127.0.0.1'),
  MEDIA_PORT: count(0)
    .refine((port) => port <= 65_535, 'must be at most 65535')
    .default(8788),
  MEDIA_WORKER_TOKEN: z.string('is required').min(16, 'must have at least 16 characters'),
  MEDIA_SLOTS: count(1).default(Math.max(1, Math.floor(availableParallelism() / 2))),
  MEDIA_FETCHING: count(0).default(8),
  SPOOL_WORK_DIR: z
    .string()
    .transform((text) => path.resolve(text))
    .optional(),
  SPOOL_DATA_DIR: z
    .string()
    .transform((text) => path.resolve(text))
    .optional(),
  ALLOW_PRIVATE_HOSTS: parsedBy(parseAllowedHosts).prefault(''),
  PRIVATE_FAULTS: z.enum(['told', 'kept']).default('kept'),
  OWN_PORTS: parsedBy(parseOwnPorts).prefault(''),
  LOG_PROGRESS: z
    .enum(['0', '1'])
    .default('0')
    .transform((text) => text === '1'),
  MAX_SOURCE_BYTES: count(1).default(2 * gibibyte),
  MAX_SOURCE_SECONDS: seconds.default(14_400),
  MAX_JOB_INPUT_BYTES: count(1).default(6 * gibibyte),
  MAX_FETCH_SECONDS: seconds.default(1_800),
  MAX_OUTPUT_BYTES: count(1).default(4 * gibibyte),
  MAX_PIXELS: count(1).default(40_000_000),
  FFMPEG_THREADS: count(1).default(availableParallelism()),
  STALL_SECONDS: seconds.default(60),
  STOP_GRACE_SECONDS: seconds.default(30),
  SPEECH_MODEL_DIR: z
    .string()
    .transform((text) => path.resolve(text))
    .optional(),
  SPEECH_LANGUAGE_FLOOR: languageFloor.default(-0.5),
  FFMPEG_MEMORY_BYTES: count(1).default(4 * gibibyte),
  SPEECH_PROVIDER: provider,
  SPEECH_MAX_AUDIO_BYTES: count(1).default(25 * 1024 ** 2),
  SPEECH_TIMEOUT_SECONDS: seconds.default(60),
  ANALYSIS_PROVIDER: provider,
  OPENAI_BASE_URL: baseUrl.default('https://api.openai.com/v1'),
  OPENAI_API_KEY: secret,
  OPENAI_SPEECH_MODEL: z.string().default('whisper-1'),
  OPENAI_VISION_MODEL: z.string().default('gpt-4o-mini'),
  CLOUDFLARE_BASE_URL: baseUrl.default('https://api.cloudflare.com/client/v4'),
  CLOUDFLARE_ACCOUNT_ID: z.string().optional(),
  CLOUDFLARE_API_TOKEN: secret,
  CLOUDFLARE_SPEECH_MODEL: model.default('@cf/openai/whisper-large-v3-turbo'),
  CLOUDFLARE_VISION_MODEL: model.default('@cf/meta/llama-4-scout-17b-16e-instruct'),
} satisfies Record<ProviderVariable, unknown> & Record<string, unknown>)

export type Settings = Omit<z.infer<typeof environment>, 'SPOOL_WORK_DIR'> & {
  SPOOL_WORK_DIR: string
}

export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Reads and checks every setting; a variable set to nothing counts as absent. */
export function loadSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new SettingsError(faults.join('; '))
  }
  const settings = parsed.data
  return {
    ...settings,
    SPOOL_WORK_DIR: settings.SPOOL_WORK_DIR ?? path.join(tmpdir(), 'spool-media'),
  }
}
