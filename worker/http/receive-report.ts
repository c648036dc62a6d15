import type { Context } from 'hono'
import { z } from 'zod'
import { AppError } from '../contract/answers/errors.ts'
import { jobId as jobIdSchema } from '../contract/ids.ts'
import { outputRequest } from '../contract/job/media-job.ts'
import { report as reportSchema } from '../contract/job/report.ts'
import { signatureHeader, verifyMessage } from '../contract/job/signed-message.ts'
import { jobRunner } from '../durable/job/job-runner.ts'
import { refuseResultWithoutDisk } from '../service/limits/disk-room.ts'
import { reportKey } from '../service/jobs/build-media-job.ts'
import { readSettings } from '../settings.ts'
import type { AppEnv } from './app-env.ts'
import { readText } from './read-body.ts'

/**
 * A plan with thousands of cuts is long, and so is ten minutes of speech; a report above this size is not one of ours.
 */
const maxReportBytes = 2_000_000

const claim = z.object({
  jobId: jobIdSchema,
  fence: z
    .string()
    .regex(/^[1-9]\d{0,9}$/)
    .transform(Number),
})

const signedBody = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.looseObject({ fence: z.number() }))

/**
 * Reads a message from the media worker that holds this claim; any other sender learns nothing from the refusal. The
 * address names the claim, so the body is not parsed before its signature was verified.
 */
async function readSigned(c: Context<AppEnv>): Promise<{ jobId: string; body: unknown }> {
  const named = claim.safeParse(c.req.param())
  const signature = c.req.header(signatureHeader)
  if (!named.success || signature === undefined) throw refusal()
  const { jobId, fence } = named.data
  const text = await readText(c.req.raw, maxReportBytes)
  const key = await reportKey(readSettings(c.env), jobId, fence)
  if (!(await verifyMessage(key, text, signature, Date.now()))) throw refusal()
  const body = signedBody.safeParse(text)
  // A body that is signed for one claim must not name another.
  if (!body.success || body.data.fence !== fence) throw refusal()
  return { jobId, body: body.data }
}

function refusal(): AppError {
  return new AppError('Unauthorized', 'The signature is not valid.')
}

function understood<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('ValidationError', z.prettifyError(parsed.error).slice(0, 1000))
}

/** POST /internal/jobs/{jobId}/attempts/{fence}/reports */
export async function receiveReport(c: Context<AppEnv>): Promise<Response> {
  const { jobId, body } = await readSigned(c)
  return c.json(await jobRunner(c.env, jobId).report(understood(reportSchema, body)))
}

/** POST /internal/jobs/{jobId}/attempts/{fence}/reports/outputs */
export async function grantOutput(c: Context<AppEnv>): Promise<Response> {
  const { jobId, body } = await readSigned(c)
  const request = understood(outputRequest, body)
  await refuseResultWithoutDisk(c.env, Date.now(), request.sizeBytes)
  const granted = await jobRunner(c.env, jobId).grant(request)
  if (!granted) throw new AppError('Conflict', 'This attempt no longer holds the job.')
  return c.json(granted)
}
