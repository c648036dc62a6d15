import type { Context } from 'hono'
import { z } from 'zod'
import { AppError } from '../contract/errors.ts'
import { jobId as jobIdSchema } from '../contract/ids.ts'
import { outputRequest } from '../contract/media-job.ts'
import { report as reportSchema } from '../contract/report.ts'
import { signatureHeader, verifyMessage } from '../contract/signature.ts'
import { jobRunner } from '../durable/job-runner.ts'
import { reportKey } from '../service/build-media-job.ts'
import { readSettings } from '../settings.ts'
import type { AppEnv } from './app-env.ts'
import { readText } from './read-body.ts'

/** A plan with thousands of cuts is long, and so is what is said in ten minutes; a report beyond this is none of ours. */
const maxReportBytes = 2_000_000

const signedByFence = z.object({ fence: z.int().min(1) })

/** The body of a message from the media worker that holds this claim; whoever else sent it learns nothing. */
async function readSigned(c: Context<AppEnv>): Promise<{ jobId: string; body: unknown }> {
  const refusal = new AppError('Unauthorized', 'The signature is not valid.')
  const jobId = jobIdSchema.safeParse(c.req.param('jobId'))
  const text = await readText(c.req.raw, maxReportBytes)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw refusal
  }
  const claim = signedByFence.safeParse(body)
  if (!jobId.success || !claim.success) throw refusal
  const key = await reportKey(readSettings(c.env), jobId.data, claim.data.fence)
  if (!(await verifyMessage(key, text, c.req.header(signatureHeader), Date.now()))) throw refusal
  return { jobId: jobId.data, body }
}

function understood<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('ValidationError', z.prettifyError(parsed.error).slice(0, 1000))
}

/** POST /internal/jobs/{jobId}/reports */
export async function receiveReport(c: Context<AppEnv>): Promise<Response> {
  const { jobId, body } = await readSigned(c)
  return c.json(await jobRunner(c.env, jobId).report(understood(reportSchema, body)))
}

/** POST /internal/jobs/{jobId}/reports/outputs */
export async function grantOutput(c: Context<AppEnv>): Promise<Response> {
  const { jobId, body } = await readSigned(c)
  const granted = await jobRunner(c.env, jobId).grant(understood(outputRequest, body))
  if (!granted) throw new AppError('Conflict', 'This attempt no longer holds the job.')
  return c.json(granted)
}
