import type { VideoRecord } from './video-record.ts'

/** What GET /v1/videos/{videoId}/events sends: `progress` whenever the record has changed, and one `end`. */
type StreamEventType = 'progress' | 'end'

/** How long a browser waits before it asks again, in milliseconds. */
export const reconnectMs = 2000

/** Sent back by a client that reconnects after the `end`: there is nothing more to tell it. */
export function endEventId(videoId: string): string {
  return `${videoId}.end`
}

/**
 * One server-sent event. JSON on one line is valid data as it is. Only an `end` has an id, because earlier events are
 * not replayed.
 */
export function formatVideoEvent(type: StreamEventType, record: VideoRecord): string {
  const id = type === 'end' ? `id: ${endEventId(record.videoId)}\n` : ''
  return `event: ${type}\n${id}data: ${JSON.stringify(record)}\n\n`
}
