import type {
  ChangeVideo,
  CreateVideo,
  Plan,
  Video,
  VideoAccepted,
  VideoPlan,
} from '../api-types.ts'
import { SpoolError, VideoFailedError } from '../errors.ts'
import { isPassingConflict } from '../http/retried.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { listAt, type Listing } from '../listing.ts'
import { formBody } from '../upload/form-body.ts'
import { openSource, type UploadSource } from '../upload/open-source.ts'
import type { SourceFacts } from '../upload/opened-source.ts'
import { uniqueText } from '../unique-text.ts'
import { followVideo } from './follow-video.ts'
import type { UploadOptions, Uploads } from './uploads.ts'

/** A call that makes something. A key of your own makes it safe to repeat from another process, too. */
export type CreateOptions = CallOptions & { idempotencyKey?: string | undefined }

export type ListVideosQuery = {
  status?: Video['status'] | undefined
  /** The archived videos, and no others; cannot be combined with a status. */
  archived?: boolean | undefined
  /** Only videos of this batch. */
  batchId?: string | undefined
  /** Entries on a page, at most 100. */
  limit?: number | undefined
}

export type WaitOptions = CallOptions & { onProgress?: ((video: Video) => void) | undefined }

/** What to do with a file that is uploaded: a create without its source. */
export type UploadRequest = Omit<
  CreateVideo,
  'fileUrl' | 'files' | 'uploadId' | 'sourceVideoId' | 'combine'
>

export class Videos {
  readonly #transport: Transport
  readonly #uploads: Uploads

  constructor(transport: Transport, uploads: Uploads) {
    this.#transport = transport
    this.#uploads = uploads
  }

  /** Starts a video from an address, from several, or from an upload. */
  async create(request: CreateVideo, options: CreateOptions = {}): Promise<VideoAccepted> {
    return this.#transport.json<VideoAccepted>(
      {
        method: 'POST',
        path: '/v1/videos',
        json: request,
        headers: { 'Idempotency-Key': keyOf(options) },
        repeatable: true,
        passes: isPassingConflict,
      },
      options,
    )
  }

  /** What would become of this request, how long it takes and what it costs; nothing is made. */
  async plan(request: CreateVideo, options?: CallOptions): Promise<Plan> {
    const call = { method: 'POST', path: '/v1/plans', json: request } as const
    return this.#transport.json<Plan>({ ...call, repeatable: true }, options)
  }

  /** What would be done for this request, step by step; nothing is made or fetched. */
  async check(request: CreateVideo, options?: CallOptions): Promise<VideoPlan> {
    const call = { method: 'POST', path: '/v1/videos/plan', json: request } as const
    return this.#transport.json<VideoPlan>({ ...call, repeatable: true }, options)
  }

  /**
   * Sends a file and starts a video from it. A path works where there is a file system. A stream whose size is not known
   * goes out in one piece, and cannot be sent a second time.
   */
  async upload(
    source: UploadSource,
    request: UploadRequest = {},
    options: UploadOptions & CreateOptions = {},
  ): Promise<VideoAccepted> {
    const opened = await openSource(source, options)
    try {
      if (opened.size === undefined) return await this.#sendForm(opened, request, options)
      const { uploadId } = await this.#uploads.sendOpened(opened, options)
      return await this.create({ ...request, uploadId }, options)
    } finally {
      await opened.close()
    }
  }

  async #sendForm(
    source: SourceFacts,
    request: UploadRequest,
    options: UploadOptions & CreateOptions,
  ): Promise<VideoAccepted> {
    if (options.uploadId !== undefined) {
      throw new SpoolError('To continue an upload with a stream, say its sizeInBytes.')
    }
    const { contentType, body } = formBody(source, request, options.onProgress)
    const headers = { 'Content-Type': contentType, 'Idempotency-Key': keyOf(options) }
    const call = { method: 'POST', path: '/v1/videos/upload', headers, body } as const
    const once = { ...options, maxRetries: 0, timeoutMs: options.timeoutMs ?? 3_600_000 }
    return this.#transport.json<VideoAccepted>(call, once)
  }

  async get(videoId: string, options?: CallOptions): Promise<Video> {
    return this.#transport.json<Video>({ method: 'GET', path: addressOf(videoId) }, options)
  }

  /** Newest first. */
  list(query: ListVideosQuery = {}, options: CallOptions = {}): Listing<Video> {
    return listAt(this.#transport, '/v1/videos', { query, options })
  }

  async rename(videoId: string, videoName: string, options?: CallOptions): Promise<Video> {
    return this.change(videoId, { videoName }, options)
  }

  /**
   * Other names for the speakers of the transcript, by what the job called them. A speaker who is left out keeps the
   * present name; null as a value gives that speaker's first name back, and null instead of the object gives back all
   * first names.
   */
  async nameSpeakers(
    videoId: string,
    speakerNames: NonNullable<ChangeVideo['speakerNames']> | null,
    options?: CallOptions,
  ): Promise<Video> {
    return this.change(videoId, { speakerNames }, options)
  }

  /** Changes the name, the metadata (as a whole), the names of speakers, or several of these. */
  async change(videoId: string, change: ChangeVideo, options?: CallOptions): Promise<Video> {
    const call = { method: 'PATCH', path: addressOf(videoId), json: change } as const
    return this.#transport.json<Video>(call, options)
  }

  /** Ends a video that has not ended. Canceling one that is canceled changes nothing. */
  async cancel(videoId: string, options?: CallOptions): Promise<Video> {
    const path = `${addressOf(videoId)}/cancel`
    return this.#transport.json<Video>({ method: 'POST', path, repeatable: true }, options)
  }

  /** Deletes a video that has ended, with its files. */
  async delete(videoId: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path: addressOf(videoId) }, options)
  }

  /** The record now, and each time it has changed, until the video has ended. */
  watch(videoId: string, options: CallOptions = {}): AsyncGenerator<Video, void, undefined> {
    return followVideo(this.#transport, videoId, options)
  }

  /** The record of the finished video. Throws a VideoFailedError if it fails or is canceled. */
  async wait(videoId: string, { onProgress, ...options }: WaitOptions = {}): Promise<Video> {
    let last: Video | undefined
    for await (const video of this.watch(videoId, options)) {
      onProgress?.(video)
      last = video
    }
    if (!last) throw new SpoolError(`The service sent no state of video ${videoId}.`)
    if (last.status !== 'succeeded') throw new VideoFailedError(last)
    return last
  }
}

function addressOf(videoId: string): string {
  return `/v1/videos/${pathPart(videoId, 'videoId')}`
}

/** Every attempt of one call carries the same key, so that they make one video. */
function keyOf({ idempotencyKey }: CreateOptions): string {
  return idempotencyKey ?? uniqueText()
}
