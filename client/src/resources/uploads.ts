import type { CreateUpload, Upload, UploadCompleted, UploadOpened } from '../api-types.ts'
import { SpoolError } from '../errors.ts'
import { isPassingConflict } from '../http/retried.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'
import { openSource, type UploadSource } from '../upload/open-source.ts'
import type { OpenedSource } from '../upload/opened-source.ts'
import { bytesOfParts, sendParts } from '../upload/send-parts.ts'

export type UploadProgress = {
  /** Keep it to continue after an interruption; absent for a form. */
  uploadId?: string
  sentBytes: number
  /** Undefined for a stream whose size is not known. */
  totalBytes: number | undefined
}

export type UploadOptions = CallOptions & {
  /** How the file is called, if the source has no name or another one. */
  fileName?: string | undefined
  /** For a stream: how long it is. */
  sizeInBytes?: number | undefined
  /** Continues this upload: only what has not arrived is sent. */
  uploadId?: string | undefined
  /** How many parts are on their way at once; 4 when absent. */
  parallel?: number | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

type UploadPlan = Pick<Upload, 'uploadId' | 'partSize' | 'parts'>

/** Files sent in parts, to make videos from: any size, several parts at once, continued after an interruption. */
export class Uploads {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Sends the whole file. A video can then be created with the `uploadId`. */
  async send(source: UploadSource, options: UploadOptions = {}): Promise<UploadCompleted> {
    const opened = await openSource(source, options)
    try {
      return await this.sendOpened(opened, options)
    } finally {
      await opened.close()
    }
  }

  /** The same for a source that is open already, and is closed by the caller. */
  async sendOpened(source: OpenedSource, options: UploadOptions): Promise<UploadCompleted> {
    const { size } = source
    if (size === undefined) throw new SpoolError('Say the sizeInBytes of this stream.')
    const { uploadId, partSize, parts } = await this.#plan(source, size, options)
    const plan = { partSize, parts, sizeInBytes: size }
    let sentBytes = size - bytesOfParts(plan)
    const report = () => options.onProgress?.({ uploadId, sentBytes, totalBytes: size })
    report()
    const onSent = (bytes: number) => {
      sentBytes += bytes
      report()
    }
    await sendParts(plan, source, {
      ...this.#transport.settings,
      ...defined({ parallel: options.parallel, maxRetries: options.maxRetries }),
      signal: options.signal,
      onSent,
    })
    return this.complete(uploadId, options)
  }

  async #plan(source: OpenedSource, size: number, options: UploadOptions): Promise<UploadPlan> {
    const { uploadId } = options
    if (uploadId === undefined) {
      const announced = { fileName: source.fileName ?? 'video', sizeInBytes: size }
      return this.open({ ...announced, ...defined({ contentType: source.contentType }) }, options)
    }
    const upload = await this.get(uploadId, options)
    if (upload.sizeInBytes !== size) {
      const message = `Upload ${uploadId} is of a file of ${upload.sizeInBytes} bytes; this one has ${size}.`
      throw new SpoolError(message)
    }
    return upload
  }

  /** Opens an upload and answers an address for each part: a page can send them with `sendParts`, without a key. */
  async open(request: CreateUpload, options?: CallOptions): Promise<UploadOpened> {
    const call = { method: 'POST', path: '/v1/uploads', json: request, repeatable: true } as const
    return this.#transport.json<UploadOpened>(call, options)
  }

  /** What has arrived, and fresh addresses for what has not. */
  async get(uploadId: string, options?: CallOptions): Promise<Upload> {
    return this.#transport.json<Upload>({ method: 'GET', path: addressOf(uploadId) }, options)
  }

  async complete(uploadId: string, options?: CallOptions): Promise<UploadCompleted> {
    const path = `${addressOf(uploadId)}/complete`
    const call = { method: 'POST', path, repeatable: true, passes: isPassingConflict } as const
    return this.#transport.json<UploadCompleted>(call, options)
  }

  /** Gives up an upload from which no video was made. */
  async delete(uploadId: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: 'DELETE', path: addressOf(uploadId) }, options)
  }
}

function addressOf(uploadId: string): string {
  return `/v1/uploads/${pathPart(uploadId, 'uploadId')}`
}

function defined<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: NonNullable<Value[Key]> } {
  const given = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(given) as { [Key in keyof Value]?: NonNullable<Value[Key]> }
}
