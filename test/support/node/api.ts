import { poll } from './poll.ts'
import type { RunningService } from './service.ts'

export type Json = Record<string, unknown>

export async function jsonOf(response: Response): Promise<Json> {
  return (await response.json()) as Json
}

/** Creates a video that is made, whatever was made before; fails loudly when the service does not accept it. */
export async function createVideo(
  service: RunningService,
  body: object,
): Promise<{ videoId: string; jobId: string }> {
  const response = await service.request('/v1/videos', { json: { reuse: false, ...body } })
  const answer = await jsonOf(response)
  if (response.status !== 202) throw new Error(`${response.status} ${JSON.stringify(answer)}`)
  return answer as { videoId: string; jobId: string }
}

export async function readVideo(service: RunningService, videoId: string): Promise<Json> {
  return jsonOf(await service.request(`/v1/videos/${videoId}`))
}

/** The record as soon as the video is in one of these states. */
export async function untilStatus(
  service: RunningService,
  videoId: string,
  statuses: string[],
  patienceMs?: number,
): Promise<Json> {
  return poll(
    `${videoId} to be ${statuses.join(' or ')}`,
    async () => {
      const record = await readVideo(service, videoId)
      return statuses.includes(String(record['status'])) ? record : undefined
    },
    patienceMs,
  )
}

export const ended = ['succeeded', 'failed', 'canceled']

/** Cancels what is unfinished in the account, so that no media worker works on what nobody looks at. */
export async function cancelUnfinished(service: RunningService): Promise<void> {
  for (const status of ['queued', 'running']) {
    const found = await jsonOf(await service.request(`/v1/videos?status=${status}&limit=100`))
    for (const { videoId } of found['data'] as { videoId: string }[]) {
      const answer = await service.request(`/v1/videos/${videoId}/cancel`, { method: 'POST' })
      // One that has ended meanwhile cannot be canceled.
      if (![200, 409].includes(answer.status)) throw new Error(`${answer.status} for ${videoId}`)
    }
  }
}
