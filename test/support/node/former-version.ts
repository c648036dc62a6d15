import { z } from 'zod'
import { jobId, videoId } from '../../../worker/contract/ids.ts'
import { optionsSchema, segments } from '../../../worker/contract/options.ts'
import { parseInput } from '../../../worker/contract/parse-input.ts'

/**
 * Version 2 of the protocol as it was published: what a service and a media worker of that version understood, and no
 * more.
 */

const input = z.strictObject({
  field: z.string(),
  url: z.string(),
  origin: z.enum(['customer', 'storage', 'link']),
  removeSegments: segments.optional(),
  disableAudio: z.boolean().optional(),
})

export const formerJob = z.strictObject({
  version: z.literal(2),
  jobId,
  videoId,
  account: z.string().min(1).optional(),
  fence: z.int().min(1),
  attempt: z.int().min(1),
  inputs: z.array(input).min(1),
  options: optionsSchema,
  elementSources: z.array(input.pick({ url: true, origin: true })).optional(),
  reports: z.strictObject({ url: z.string(), key: z.string(), heartbeatSeconds: z.number() }),
})

/** The answer of such a media worker to POST /jobs. */
export function answerOfFormer(job: unknown): { status: number; body: unknown } {
  const parsed = parseInput(formerJob, job)
  if (parsed.ok) return { status: 202, body: { accepted: true } }
  const faults = parsed.faults.map(({ field, message }) => `${field}: ${message}`)
  const message = `The job was not understood. ${faults.join('; ')}`
  return { status: 400, body: { error: 'ValidationError', message } }
}

const phases = ['fetching', 'measuring', 'rendering', 'uploading'] as const
const timed = [...phases, 'waiting', 'transcribing', 'analysing'] as const

const trace = z.strictObject({
  phases: z.array(
    z.strictObject({
      name: z.enum(timed),
      startedAt: z.iso.datetime(),
      durationMs: z.number().min(0),
    }),
  ),
  commands: z.array(
    z.strictObject({
      program: z.string(),
      args: z.array(z.string()),
      durationMs: z.number().min(0),
      exitCode: z.int().nullable(),
    }),
  ),
  plan: z.json().optional(),
})

const heading = { fence: z.int().min(1), sequence: z.int().min(1) }

export const formerReport = z.discriminatedUnion('type', [
  z.strictObject({
    ...heading,
    type: z.literal('progress'),
    phase: z.enum(phases),
    progressPercent: z.number().min(0).max(99),
    slotFree: z.literal(true).optional(),
  }),
  z.strictObject({
    ...heading,
    type: z.literal('failed'),
    reason: z.enum(['source_unreachable', 'source_too_slow', 'source_not_media', 'internal']),
    message: z.string().min(1).max(500),
    retryable: z.boolean(),
    trace,
  }),
  z.strictObject({ ...heading, type: z.literal('released'), trace }),
])

export const formerHealth = z.object({
  status: z.literal('ok'),
  version: z.literal(2),
  slots: z.int(),
  running: z.int(),
  fetching: z.int(),
  stopping: z.boolean(),
})

export const formerCancelAnswer = z.object({ canceled: z.boolean(), trace: trace.optional() })
