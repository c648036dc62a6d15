import type { ErrorBody, Video } from './api-types.ts'

/** Everything that the client throws itself is one of these. An aborted call throws the reason of its signal. */
export class SpoolError extends Error {
  override name = 'SpoolError'
}

/** One fault of a request. `path` names the field, such as `elements[2].position.anchor`. */
export type Fault = { path: string; message: string }

/** `Unrecognized`: the answer was not one of Spool; a proxy, or another program at that address, gave it. */
export type ErrorCode = ErrorBody['error'] | 'Unrecognized'

type ApiErrorFacts = {
  status: number
  code: ErrorCode
  faults: Fault[]
  retryAfterSeconds: number | undefined
  requestId: string | undefined
}

/** The service refused a request, or could not answer it. */
export class ApiError extends SpoolError {
  override name = 'ApiError'
  readonly status: number
  /** For programs; the message is for people. */
  readonly code: ErrorCode
  /** Every fault of the request, up to 100 of them; empty if the error is not about a field. */
  readonly faults: Fault[]
  readonly retryAfterSeconds: number | undefined
  /** Quote it when you report a problem. */
  readonly requestId: string | undefined

  constructor(message: string, facts: ApiErrorFacts) {
    super(message)
    this.status = facts.status
    this.code = facts.code
    this.faults = facts.faults
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.requestId = facts.requestId
  }
}

/** No answer arrived: no such host, no connection, or one that broke. */
export class ConnectionError extends SpoolError {
  override name = 'ConnectionError'
}

/** Something took longer than it may. */
export class TimeoutError extends SpoolError {
  override name = 'TimeoutError'
}

/** Thrown by `videos.wait`: the video has ended, but there is no finished video. */
export class VideoFailedError extends SpoolError {
  override name = 'VideoFailedError'
  readonly video: Video

  constructor(video: Video) {
    super(
      video.status === 'canceled'
        ? `Video ${video.videoId} was canceled.`
        : `Video ${video.videoId} failed: ${video.errorMessage ?? 'no reason is known'}`,
    )
    this.video = video
  }

  /** Why it failed, for programs; undefined for a video that was canceled. */
  get reason(): Video['reason'] {
    return this.video.reason
  }
}

/** A request that claims to be a webhook is not genuine: answer 400 and do nothing. */
export class WebhookVerificationError extends SpoolError {
  override name = 'WebhookVerificationError'
}
