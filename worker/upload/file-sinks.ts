import { withinMs } from '../contract/within-ms.ts'
import {
  dropReceived,
  openUpload,
  receivedSource,
  type SourceUpload,
} from '../service/uploads/source-upload.ts'
import { describeError, log } from '../service/log.ts'
import type { DiskHold } from '../service/limits/disk-room.ts'
import { quotaExceeded, readQuota } from '../service/limits/quota.ts'
import type { Env } from '../settings.ts'
import { callStorage } from '../store/database.ts'
import { writeToBucket } from '../store/objects/objects.ts'
import { noteUploadBytes } from '../store/objects/uploads.ts'
import { readUsedBytes } from '../store/usage.ts'
import type { VideoSource } from '../store/tables/tables.ts'
import type { Loan } from './byte-window.ts'
import type { FileSink } from './receive-form.ts'
import { uploadShape } from './upload-shape.ts'

/** For a request that was answered before: its file is read to the end and stored nowhere. */
export const forgetfulSink: FileSink = {
  begin: async () => undefined,
  write: async (loan) => loan.giveBack(),
}

const contentTypes = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  ts: 'video/mp2t',
  flv: 'video/x-flv',
  mpg: 'video/mpeg',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
} as const

/** How often a part is sent to R2: a part that failed is sent again at once, while its bytes are still in memory. */
const tries = 3
/** A bucket that cannot be written may never answer; its client must not wait for ever. */
const usualPatienceMs = 60_000

/** Writes the file as the parts of one R2 upload, as many at a time as there are buffers. */
export class BucketSink implements FileSink {
  readonly #env: Env
  readonly #accountId: string
  readonly #declaredBytes: number
  readonly #hold: DiskHold
  readonly #patienceMs: number
  readonly #parts: Promise<R2UploadedPart>[] = []
  #fileName = ''
  #bytes = 0
  /** The room that is left in the account, where the request did not say how large the file is. */
  #quota: { mostBytes: number; usedBytes: number } | undefined
  #opened: { upload: SourceUpload; multipart: R2MultipartUpload } | undefined
  #fault: { cause: unknown } | undefined

  /** `declaredBytes`: the length that the request declares; 0 if it declares none. */
  constructor(
    env: Env,
    { accountId, declaredBytes }: { accountId: string; declaredBytes: number },
    hold: DiskHold,
    patienceMs = usualPatienceMs,
  ) {
    this.#env = env
    this.#accountId = accountId
    this.#declaredBytes = declaredBytes
    this.#hold = hold
    this.#patienceMs = patienceMs
  }

  async begin(file: Parameters<FileSink['begin']>[0]): Promise<void> {
    this.#fileName = file.fileName
    const announced = {
      accountId: this.#accountId,
      fileName: file.fileName,
      contentType: contentTypes[file.format],
      partBytes: uploadShape.stretchBytes,
      sizeBytes: this.#declaredBytes || null,
    }
    const upload = await openUpload(this.#env, announced, 'receiving', Date.now())
    if (this.#declaredBytes === 0) this.#quota = await this.#readQuota()
    const { key, multipartId } = upload
    const multipart = this.#env.BUCKET.resumeMultipartUpload(key, multipartId)
    this.#opened = { upload, multipart }
  }

  /** Does not wait until the part is stored: the parser waits when no buffer is free. */
  async write(loan: Loan): Promise<void> {
    const { multipart } = this.#begun()
    if (this.#fault) throw this.#fault.cause
    this.#bytes += loan.bytes.length
    this.#requireQuota()
    const partNumber = this.#parts.length + 1
    const store = async () =>
      writeToBucket(async () =>
        withinMs(this.#patienceMs, storePart(multipart, partNumber, loan.bytes)),
      )
    const part = this.#hold
      .write(loan.bytes.length, async () => callStorage(store))
      .finally(() => loan.giveBack())
    part.catch((cause: unknown) => (this.#fault ??= { cause }))
    this.#parts.push(part)
  }

  /** Waits for all parts and joins them into one object. */
  async finish(): Promise<VideoSource> {
    const { multipart, upload } = this.#begun()
    const parts = await Promise.all(this.#parts)
    await this.#takeQuota(upload.uploadId)
    await callStorage(async () => {
      const { size } = await withinMs(this.#patienceMs, multipart.complete(parts))
      if (size !== this.#bytes) throw new Error(`the bucket has ${size} of ${this.#bytes} bytes`)
    })
    return receivedSource(upload, { fileName: this.#fileName, sizeBytes: this.#bytes })
  }

  /** Removes everything that was stored. What the bucket does not remove now is left to the sweep. */
  async drop(): Promise<void> {
    await Promise.allSettled(this.#parts)
    if (!this.#opened) return
    const dropped = dropReceived(this.#env, this.#accountId, this.#opened.upload)
    await withinMs(this.#patienceMs, dropped).catch((error: unknown) =>
      log('warn', 'what was stored of an upload is left to the sweep', describeError(error)),
    )
  }

  async #readQuota() {
    const mostBytes = readQuota(this.#env)
    if (mostBytes === undefined) return undefined
    return { mostBytes, usedBytes: await readUsedBytes(this.#env.DB, this.#accountId) }
  }

  #requireQuota(): void {
    const { mostBytes, usedBytes } = this.#quota ?? { mostBytes: Infinity, usedBytes: 0 }
    if (usedBytes + this.#bytes > mostBytes) throw quotaExceeded(usedBytes, mostBytes)
  }

  async #takeQuota(id: string): Promise<void> {
    if (!this.#quota) return
    const { mostBytes, usedBytes } = this.#quota
    const upload = { id, accountId: this.#accountId }
    if (await noteUploadBytes(this.#env.DB, upload, this.#bytes, mostBytes)) return
    throw quotaExceeded(usedBytes, mostBytes)
  }

  #begun() {
    if (!this.#opened) throw new Error('a file was written before it was begun')
    return this.#opened
  }
}

async function storePart(
  multipart: R2MultipartUpload,
  partNumber: number,
  bytes: Loan['bytes'],
): Promise<R2UploadedPart> {
  for (let left = tries - 1; left > 0; left--) {
    try {
      return await multipart.uploadPart(partNumber, bytes)
    } catch (error) {
      log('info', 'R2 did not take a part; it is sent again', describeError(error))
    }
  }
  return await multipart.uploadPart(partNumber, bytes)
}
