import type { VideoRecord } from './video-record.ts'

/** What GET /v1/videos/{videoId}/events sends: `progress` whenever the record has changed, and one `end`. */
export type VideoEventType = 'progress' | 'end'

/** How long a browser waits before it asks again, in milliseconds. */
export const reconnectMs = 2000

/** Told by a client that lost the connection after the `end`: then there is nothing more to say. */
export function endEventId(videoId: string): string {
  return `${videoId}.end`
}

/** One server-sent event. JSON has no line breaks, so its data is one line. Only an `end` has an id: nothing is replayed. */
export function formatVideoEvent(type: VideoEventType, record: VideoRecord): string {
  const id = type === 'end' ? `id: ${endEventId(record.videoId)}\n` : ''
  return `event: ${type}\n${id}data: ${JSON.stringify(record)}\n\n`
}
