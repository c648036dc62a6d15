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
import { pathNumber, readSigned, understood } from './read-signed.ts'

const claim = z.object({ jobId, fence: pathNumber })
const partClaim = claim.extend({ n: pathNumber, try: pathNumber })

/** A plan with thousands of cuts is long, and so are hours of speech. */
const reportBytes = 4_000_000

/** From the media worker that holds the job. */
async function readFromHolder(
  c: Context<AppEnv>,
  mostBytes = reportBytes,
): Promise<{ jobId: string; body: unknown }> {
  const settings = readSettings(c.env)
  const { claim: of, body } = await readSigned(c, {
    claim,
    key: async (named) => reportKey(settings, named.jobId, named.fence),
    mostBytes,
  })
  return { jobId: of.jobId, body }
}

/** From a media worker that renders a part of it. */
async function readFromPart(c: Context<AppEnv>): Promise<{ jobId: string; body: unknown }> {
  const settings = readSettings(c.env)
  const { claim: of, body } = await readSigned(c, {
    claim: partClaim,
    key: async (named) => partKey(settings, named),
    mostBytes: reportBytes,
  })
  return { jobId: of.jobId, body }
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
