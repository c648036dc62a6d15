import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { DiskRoom } from '../worker/contract/job/disk-space.ts'
import type { FieldFault } from '../worker/contract/answers/errors.ts'
import { cancelRequest, mediaJob, protocolVersion } from '../worker/contract/job/media-job.ts'
import { partJob, partJobBytes } from '../worker/contract/job/part-job.ts'
import { parseInput } from '../worker/contract/input/parse-input.ts'
import type { CancelAnswer } from '../worker/contract/job/report.ts'
import { signatureHeader, verifyMessage } from '../worker/contract/job/signed-message.ts'
import { planSeconds, type PlanDesk } from './job/foresee/plan-desk.ts'
import type { JobSlots } from './slots/job-slots.ts'
import { stackOf, type Log } from './errors/log.ts'
import type { Certificate } from './settings/certificate.ts'

type Reply = { status: number; body: unknown; headers?: Record<string, string> }
type ServeOptions = {
  slots: JobSlots
  plans: Pick<PlanDesk, 'plan'>
  disk: () => DiskRoom
  token: string
  log: Log
  engine?: string
}
type TlsOptions = { certificate: Certificate | undefined }

/**
 * A customer's request has at most 1 MiB, but percent-encoding can make its addresses three times as long. A part has a graph
 * and captions of its own.
 */
const maxBodyBytes = partJobBytes
/** A slot becomes free when a video is done; asking more often does not help. */
const retryAfterSeconds = 5

/** The media worker's HTTP server: it takes jobs and cancel requests, and answers health checks. */
export function createMediaServer({ certificate, ...options }: ServeOptions & TlsOptions): Server {
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, options)
      .catch((error: unknown): Reply => {
        options.log('error', 'A request failed', { fault: stackOf(error) })
        return failure(500, 'InternalError', 'Something went wrong')
      })
      .then((result) => send(request, response, result))
      .catch((error: unknown) => options.log('warn', 'No answer sent', { fault: stackOf(error) }))
  }
  return certificate ? createTlsServer(certificate, listen) : createServer(listen)
}

async function answer(request: IncomingMessage, options: ServeOptions): Promise<Reply> {
  const path = (request.url ?? '/').split('?')[0]
  const route = `${request.method} ${path}`
  switch (route) {
    case 'GET /health':
      return health(options)
    case 'POST /jobs':
      return signed(request, options, (body) => acceptJob(body, options))
    case 'POST /plans':
      return signed(request, options, async (body) => planJob(body, options))
    case 'POST /jobs/cancel':
      return signed(request, options, (body) => cancelJob(body, options.slots))
    default:
      return failure(404, 'NotFound', 'No such route')
  }
}

function health({ slots, disk, engine }: ServeOptions): Reply {
  const { count, running, fetching, isClosed: stopping } = slots
  const body = {
    ...{ status: 'ok', version: protocolVersion, slots: count, running, fetching, stopping },
    ...{ disk: disk(), engine },
  }
  return { status: 200, body }
}

function acceptJob(body: unknown, { slots, log }: ServeOptions): Reply {
  const parsed = isPartJob(body) ? parseInput(partJob, body) : parseInput(mediaJob, body)
  if (!parsed.ok) return notUnderstood(parsed.faults)
  const job = parsed.value
  if (slots.offer(job) === 'busy') return busy()
  log('info', 'Job accepted', { jobId: job.jobId, fence: job.fence })
  return { status: 202, body: { accepted: true } }
}

async function planJob(body: unknown, { plans }: ServeOptions): Promise<Reply> {
  const parsed = parseInput(mediaJob, body)
  if (!parsed.ok) return notUnderstood(parsed.faults)
  const planned = await plans.plan(parsed.value)
  if (planned === 'busy') return busy()
  if (planned === 'late') {
    return failure(504, 'GatewayTimeout', `The plan takes longer than ${planSeconds} seconds`)
  }
  return { status: 200, body: planned }
}

function notUnderstood(faults: readonly FieldFault[]): Reply {
  const named = faults.map(({ field, message }) => `${field}: ${message}`)
  return failure(400, 'ValidationError', `The job was not understood. ${named.join('; ')}`)
}

function busy(): Reply {
  const answer = failure(503, 'ServiceUnavailable', 'No slot is free')
  return { ...answer, headers: { 'Retry-After': String(retryAfterSeconds) } }
}

function isPartJob(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'kind' in body
}

/** Answers when the work has stopped: the slot is then free, and the trace is complete. */
async function cancelJob(body: unknown, slots: JobSlots): Promise<Reply> {
  const parsed = cancelRequest.safeParse(body)
  if (!parsed.success)
    return failure(400, 'ValidationError', 'The request must name a job and a fence')
  const trace = await slots.cancel(parsed.data)
  const answer: CancelAnswer = { canceled: trace !== undefined, ...(trace && { trace }) }
  return { status: 200, body: answer }
}

async function signed(
  request: IncomingMessage,
  { token }: ServeOptions,
  handle: (body: unknown) => Reply | Promise<Reply>,
): Promise<Reply> {
  const text = await readBody(request)
  if (text === undefined) return failure(413, 'PayloadTooLarge', 'The body is too large')
  const header = request.headers[signatureHeader.toLowerCase()]
  const signature = typeof header === 'string' ? header : undefined
  if (!(await verifyMessage(token, text, signature, Date.now()))) {
    return failure(401, 'Unauthorized', 'The signature is not valid')
  }
  try {
    return await handle(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return failure(400, 'ValidationError', 'The body is not JSON')
    throw error
  }
}

/** The body as it was signed; undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function failure(status: number, error: string, message: string): Reply {
  return { status, body: { error, message } }
}

function send(request: IncomingMessage, response: ServerResponse, answer: Reply): void {
  // Close the connection, or the unread rest of the body would be taken for the next request.
  const closing = request.complete ? {} : { Connection: 'close' }
  response.writeHead(answer.status, {
    'Content-Type': 'application/json',
    ...closing,
    ...answer.headers,
  })
  response.end(JSON.stringify(answer.body))
}
