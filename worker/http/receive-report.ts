import type { Context } from 'hono'
import { z } from 'zod'
import { AppError } from '../contract/answers/errors.ts'
import { jobId } from '../contract/ids.ts'
import { outputRequest } from '../contract/job/media-job.ts'
import {
  partJobBytes,
  partOutputRequest,
  partReport,
  partsRequest,
} from '../contract/job/part-job.ts'
import { report as reportSchema } from '../contract/job/report.ts'
import { jobRunner } from '../durable/job/job-runner.ts'
import { refuseResultWithoutDisk } from '../service/limits/disk-room.ts'
import { reportKey } from '../service/jobs/build-media-job.ts'
import { partKey } from '../service/jobs/build-part-job.ts'
import { readSettings } from '../settings.ts'
import type { AppEnv } from './app-env.ts'
import { signatureHeader, verifyMessage } from '../contract/job/signed-message.ts'
import { readText } from './read-body.ts'

/** A number in an address. */
const pathNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,9})$/)
  .transform(Number)

const claim = z.object({ jobId, fence: pathNumber })
const partClaim = claim.extend({ n: pathNumber, try: pathNumber })

/** The limit for a report: a plan with thousands of cuts is long, and so are hours of speech. */
const reportBytes = 4_000_000

/** Reads a message from the media worker that holds the job. */
async function readFromHolder(c: Context<AppEnv>, mostBytes = reportBytes): Promise<ReportMessage> {
  const settings = readSettings(c.env)
  const keyOf = async ({ jobId: id, fence }: z.infer<typeof claim>) =>
    reportKey(settings, id, fence)
  return readSigned(c, claim, keyOf, mostBytes)
}

/** Reads a message from a media worker that renders a part of the job. */
async function readFromPart(c: Context<AppEnv>): Promise<ReportMessage> {
  const settings = readSettings(c.env)
  return readSigned(c, partClaim, async (named) => partKey(settings, named), reportBytes)
}

function wanted<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) {
    throw new AppError('Conflict', 'This attempt no longer holds the job.')
  }
  return answer
}

/** POST /internal/jobs/{jobId}/attempts/{fence}/reports */
export async function receiveReport(c: Context<AppEnv>): Promise<Response> {
  const { jobId: id, body } = await readFromHolder(c)
  return c.json(await jobRunner(c.env, id).report(understood(reportSchema, body)))
}

/** POST /internal/jobs/{jobId}/attempts/{fence}/reports/outputs */
export async function grantOutput(c: Context<AppEnv>): Promise<Response> {
  const { jobId: id, body } = await readFromHolder(c)
  const request = understood(outputRequest, body)
  await refuseResultWithoutDisk(c.env, Date.now(), request.sizeBytes)
  return c.json(wanted(await jobRunner(c.env, id).grant(request)))
}

/** POST /internal/jobs/{jobId}/attempts/{fence}/reports/parts */
export async function askParts(c: Context<AppEnv>): Promise<Response> {
  const { jobId: id, body } = await readFromHolder(c, partJobBytes)
  const request = understood(partsRequest, body)
  if (request.ask === 'store') {
    await refuseResultWithoutDisk(c.env, Date.now(), request.sizeBytes)
  }
  return c.json(wanted(await jobRunner(c.env, id).askParts(request)))
}

/** POST /internal/jobs/{jobId}/attempts/{fence}/parts/{n}/{try}/reports */
export async function receivePartReport(c: Context<AppEnv>): Promise<Response> {
  const { jobId: id, body } = await readFromPart(c)
  return c.json(await jobRunner(c.env, id).reportPart(understood(partReport, body)))
}

/** POST /internal/jobs/{jobId}/attempts/{fence}/parts/{n}/{try}/reports/outputs */
export async function grantPartOutput(c: Context<AppEnv>): Promise<Response> {
  const { jobId: id, body } = await readFromPart(c)
  const request = understood(partOutputRequest, body)
  await refuseResultWithoutDisk(c.env, Date.now(), request.sizeBytes)
  return c.json(wanted(await jobRunner(c.env, id).grantPart(request)))
}

type ReportMessage = { jobId: string; body: unknown }

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
  .pipe(z.looseObject({}))

/**
 * Reads a message from the media worker that holds the claim in the address; any other sender learns nothing from the
 * refusal. The body is not parsed before its signature was verified, and must name the same claim. A longer one than
 * `mostBytes` does not come from a media worker.
 */
async function readSigned<Claim extends { jobId: string }>(
  c: Context<AppEnv>,
  schema: z.ZodType<Claim>,
  key: (claim: Claim) => Promise<string>,
  mostBytes: number,
): Promise<ReportMessage> {
  const named = schema.safeParse(c.req.param())
  const signature = c.req.header(signatureHeader)
  if (!named.success || signature === undefined) throw refusal()
  const text = await readText(c.req.raw, mostBytes)
  if (!(await verifyMessage(await key(named.data), text, signature, Date.now()))) throw refusal()
  const body = signedBody.safeParse(text)
  if (!body.success || !isOf(named.data, body.data)) throw refusal()
  return { jobId: named.data.jobId, body: body.data }
}

/** A body that is signed for one claim must not name another. */
function isOf(claim: object, body: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(claim).every(([name, value]) => name === 'jobId' || body[name] === value)
}

function refusal(): AppError {
  return new AppError('Unauthorized', 'The signature is not valid.')
}

function understood<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('ValidationError', z.prettifyError(parsed.error).slice(0, 1000))
}
