import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import { aJob, aJobId, type JobParts } from './a-job.ts'
import { startMediaWorker, type MediaWorker } from './media-worker.ts'
import { startReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
import { startSources, type SourceServer } from './sources.ts'

type Service = { worker: MediaWorker; sources: SourceServer }

/** It takes two seconds to start one, so files whose tests want nothing special of theirs share it. */
let usual: Promise<MediaWorker> | undefined

/** A media worker, which is its own where it has settings, and a server from which it fetches, for all tests of a file. */
export function aServiceForAll(env?: Record<string, string>): Service {
  const service = {} as Service
  beforeAll(async () => {
    service.worker = await (env ? startMediaWorker(env) : (usual ??= startMediaWorker()))
    service.sources = await startSources()
  })
  afterAll(async () => {
    await Promise.all([env && service.worker.stop(), service.sources.close()])
  })
  return service
}

/** A media worker with other settings, for one test. */
export async function aMediaWorker(env: Record<string, string>): Promise<MediaWorker> {
  const worker = await startMediaWorker(env)
  onTestFinished(worker.stop)
  return worker
}

/** A server to fetch from, for one test. */
export async function aSourceServer(): Promise<SourceServer> {
  const server = await startSources()
  onTestFinished(server.close)
  return server
}

/** What takes reports and outputs, for one test. */
export async function aReceiver(options?: ReceiverOptions): Promise<Receiver> {
  const receiver = await startReceiver(options)
  onTestFinished(receiver.close)
  return receiver
}

type Asked = Omit<JobParts, 'reportsUrl'> & { more?: Partial<MediaJob> }

/** Has a media worker do a job, under an id of its own if none is given, and waits for its last report. */
export async function runJob(
  worker: MediaWorker,
  { more, ...parts }: Asked,
  options?: ReceiverOptions,
) {
  const receiver = await aReceiver(options)
  const { reportsUrl } = receiver
  const job = { ...aJob({ jobId: aJobId(), ...parts, reportsUrl }), ...more }
  expect((await worker.post('/jobs', job)).status).toBe(202)
  return { receiver, end: await receiver.end() }
}

/** The same for a job that has to succeed. */
export async function succeed(worker: MediaWorker, asked: Asked, options?: ReceiverOptions) {
  const { receiver, end } = await runJob(worker, asked, options)
  if (end.type !== 'succeeded') throw new Error(JSON.stringify(end))
  return { receiver, end }
}
