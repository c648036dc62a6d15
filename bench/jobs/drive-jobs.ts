import { setTimeout as delay } from 'node:timers/promises'
import { jobRecord, type JobRecord } from '../../worker/contract/job/job-record.ts'
import { videoPage } from '../../worker/contract/video/list-videos.ts'
import { videoAccepted } from '../../worker/contract/video/video-record.ts'
import type { StartedService } from './started-service.ts'

/** The time from the POST to the `end` event, and the job record afterwards. */
export type Single = { tookMs: number; job: JobRecord }

/** A request that encodes picture and sound; a copy would tell little. */
const wish = (fileUrl: string) => ({ fileUrl, outputFormat: 'mp4', aspectRatio: '9:16' })

const lookMs = 1_000
const patiencePerJobMs = 10_000
const readers = 8

export async function runSingle(service: StartedService, clip: string): Promise<Single> {
  const sentAt = performance.now()
  const response = await service.request('/v1/videos', wish(clip))
  const { videoId, jobId } = videoAccepted.parse(await response.json())
  const events = await service.request(`/v1/videos/${videoId}/events`)
  // The stream ends with the video.
  await events.text()
  const tookMs = performance.now() - sentAt
  return { tookMs, job: jobRecord.parse(await service.read(`/v1/jobs/${jobId}`)) }
}

export type Created = { jobIds: string[]; statuses: number[]; tookMs: number }

/** Runs clients that each send one create after the other, until there are enough jobs. */
export async function createJobs(
  service: StartedService,
  clip: string,
  { jobs, clients, stop }: { jobs: number; clients: number; stop: AbortSignal },
): Promise<Created> {
  const created: Created = { jobIds: [], statuses: [], tookMs: 0 }
  const startedAt = performance.now()
  let sent = 0
  const client = async () => {
    while (sent++ < jobs) {
      stop.throwIfAborted()
      const response = await service.request('/v1/videos', wish(clip))
      const body: unknown = await response.json()
      created.statuses.push(response.status)
      if (response.status === 202) created.jobIds.push(videoAccepted.parse(body).jobId)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  created.tookMs = performance.now() - startedAt
  return created
}

/** Returns when no video waits or runs; throws if that takes far too long. */
export async function untilAllEnded(
  service: StartedService,
  jobs: number,
  stop: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + jobs * patiencePerJobMs
  while (await isBusy(service)) {
    stop.throwIfAborted()
    if (Date.now() > deadline) throw new Error(`Not all of ${jobs} jobs have ended`)
    await delay(lookMs, undefined, { signal: stop })
  }
}

async function isBusy(service: StartedService): Promise<boolean> {
  for (const status of ['running', 'queued', 'running']) {
    const page = videoPage.parse(await service.read(`/v1/videos?status=${status}&limit=1`))
    if (page.data.length > 0) return true
  }
  return false
}

export async function readJobs(
  service: StartedService,
  jobIds: readonly string[],
): Promise<JobRecord[]> {
  const left = [...jobIds]
  const records: JobRecord[] = []
  const reader = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      records.push(jobRecord.parse(await service.read(`/v1/jobs/${id}`)))
    }
  }
  await Promise.all(Array.from({ length: readers }, reader))
  return records
}
