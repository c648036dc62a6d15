import type { Video } from '../api-types.ts'
import { ApiError, ConnectionError, TimeoutError } from '../errors.ts'
import { readServerEvents } from '../http/server-events.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'

/** The service sends something at least every 15 s. Nothing at all means that a proxy keeps the events to itself. */
const silenceMs = 40_000
const firstByteMs = 15_000
const reopenPauseMs = 2000
/** Streams in a row that told nothing new. */
const mostUselessStreams = 3
const firstPollMs = 2000
const longestPollMs = 10_000

export function hasEnded({ status }: Video): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled'
}

/**
 * The record of a video as it is, and again whenever it has changed; the last one has an end. Follows the events of the
 * service, and asks every few seconds where they do not get through.
 */
export async function* followVideo(
  transport: Transport,
  videoId: string,
  options: CallOptions,
): AsyncGenerator<Video, void, undefined> {
  const seen = new Changes()
  for (let useless = 0; useless < mostUselessStreams;) {
    const stream = new VideoStream(transport, videoId, options)
    for await (const video of stream.records()) {
      if (seen.isNew(video)) yield video
      if (hasEnded(video)) return
    }
    if (stream.isUseless) break
    useless = stream.count > 1 ? 0 : useless + 1
    await transport.settings.timing.pause(reopenPauseMs, options.signal)
  }
  yield* pollVideo(transport, videoId, options, seen)
}

async function* pollVideo(
  transport: Transport,
  videoId: string,
  options: CallOptions,
  seen: Changes,
): AsyncGenerator<Video, void, undefined> {
  const path = `/v1/videos/${pathPart(videoId, 'videoId')}`
  for (let ms = firstPollMs; ; ms = Math.min(ms * 1.3, longestPollMs)) {
    const video = await transport.json<Video>({ method: 'GET', path }, options)
    if (seen.isNew(video)) yield video
    if (hasEnded(video)) return
    await transport.settings.timing.pause(ms, options.signal)
  }
}

/** Links are signed at every read, and say nothing new. */
class Changes {
  #last = ''

  isNew({
    videoId,
    status,
    progressPercent,
    phase,
    transcript,
    analysis,
    ...time
  }: Video): boolean {
    const { queuePosition, secondsLeft } = time
    const states = [
      queuePosition,
      secondsLeft,
      transcript?.status,
      transcript?.progress,
      analysis?.status,
      analysis?.progress,
    ]
    const now = [videoId, status, progressPercent, phase, ...states].join()
    const isNew = now !== this.#last
    this.#last = now
    return isNew
  }
}

/** One connection to the events of a video. It ends without an error if another try could be better. */
class VideoStream {
  readonly #transport: Transport
  readonly #videoId: string
  readonly #options: CallOptions
  /** How many records came. */
  count = 0
  /** Another try would be no better: not one byte came, or the service has no room for another stream. */
  isUseless = false

  constructor(transport: Transport, videoId: string, options: CallOptions) {
    this.#transport = transport
    this.#videoId = videoId
    this.#options = options
  }

  async *records(): AsyncGenerator<Video, void, undefined> {
    const { signal } = this.#options
    try {
      yield* this.#read()
    } catch (error) {
      if (signal?.aborted || !canContinue(error)) throw error
      this.isUseless = (error instanceof TimeoutError && this.count === 0) || isRefused(error)
    }
    signal?.throwIfAborted()
  }

  async *#read(): AsyncGenerator<Video, void, undefined> {
    const path = `/v1/videos/${pathPart(this.#videoId, 'videoId')}/events`
    const headers = { Accept: 'text/event-stream' }
    const call = { method: 'GET', path, headers, repeatable: false } as const
    const patience = { ...this.#options, timeoutMs: firstByteMs, maxRetries: 0 }
    const { response, deadline } = await this.#transport.open(call, patience)
    try {
      if (!response.body) return
      const onBytes = () => deadline.set(silenceMs)
      for await (const { data } of readServerEvents(response.body, deadline.signal, onBytes)) {
        this.count++
        yield JSON.parse(data) as Video
      }
      deadline.signal.throwIfAborted()
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : brokenOff(error)
    } finally {
      deadline.clear()
    }
  }
}

function brokenOff(error: unknown): unknown {
  return error instanceof SyntaxError || error instanceof ApiError
    ? error
    : new ConnectionError('The stream of events was broken off.', { cause: error })
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 429 || error.status === 503)
}

/** Asking for the record instead answers an error that is about the video or the key just the same. */
function canContinue(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  if (error instanceof SyntaxError) return true
  return error instanceof ApiError && ![400, 401, 403, 404].includes(error.status)
}
