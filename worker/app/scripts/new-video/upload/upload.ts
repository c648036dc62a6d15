import { ApiError, ConnectionError, TimeoutError } from '../../../../../client/src/errors.ts'
import { isPassingConflict } from '../../../../../client/src/http/retried.ts'
import { bytesOfParts, sendParts } from '../../../../../client/src/upload/send-parts.ts'
import { notAVideo, readHead, unreadable } from './judge-file.ts'

type Missing = { partNumber: number; url: string }
export type Opened = { uploadId: string; partSize: number; parts: Missing[] }
export type KnownUpload = Opened & {
  status: 'open' | 'ready' | 'refused' | 'used'
}

/** Everything outside that an upload uses; tests replace it. */
export type UploadPorts = {
  open: (file: File, signal: AbortSignal) => Promise<Opened>
  read: (uploadId: string, signal: AbortSignal) => Promise<KnownUpload>
  complete: (uploadId: string, signal: AbortSignal) => Promise<void>
  /** Like `fetch`, and reports on the way how many bytes have been sent. */
  sendPart: (url: string, init: RequestInit, onSent: (bytes: number) => void) => Promise<Response>
  isOnline: () => boolean
  /** Resolves after this time, or as soon as the machine is online again. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => number
}

export type UploadState =
  | { phase: 'opening' | 'checking' }
  | { phase: 'sending'; sentBytes: number; bytesPerSecond?: number; secondsLeft?: number }
  | { phase: 'paused'; sentBytes: number }
  /** Without `why`, nothing answers. */
  | { phase: 'waiting'; sentBytes: number; why?: string }
  | { phase: 'ready'; uploadId: string }
  | { phase: 'failed'; message: string; canBeTriedAgain: boolean }

const atOnce = 3
const firstWaitMs = 1000
const longestWaitMs = 30_000

/** Sends a file in parts. Parts that have arrived are never sent again, even after a pause, a lost connection or a reload. */
export class Upload {
  readonly file: File
  uploadId: string | undefined
  state: UploadState = { phase: 'opening' }
  readonly #ports: UploadPorts
  readonly #changed: (upload: Upload) => void
  readonly #pace = new UploadPace()
  #arrivedBytes = 0
  /** Bytes sent of parts that have not arrived yet, by the address of the part. */
  readonly #underWay = new Map<string, number>()
  #stop = new AbortController()

  constructor(file: File, ports: UploadPorts, changed: (upload: Upload) => void) {
    this.file = file
    this.#ports = ports
    this.#changed = changed
  }

  get sentBytes(): number {
    return [...this.#underWay.values()].reduce((sum, bytes) => sum + bytes, this.#arrivedBytes)
  }

  pause(): void {
    this.#stop.abort()
    this.#become({ phase: 'paused', sentBytes: this.sentBytes })
  }

  /** Ends the upload for good, without any further reports. */
  leave(): void {
    this.#stop.abort()
  }

  /** Runs until the file has arrived, the upload fails for good, or it is paused. */
  async run(): Promise<void> {
    this.#stop = new AbortController()
    const { signal } = this.#stop
    this.#pace.forget()
    for (let failures = 0; !signal.aborted;) {
      const before = this.sentBytes
      if (!this.#ports.isOnline()) {
        this.#become({ phase: 'waiting', sentBytes: before })
        await this.#ports.wait(longestWaitMs, signal)
        continue
      }
      try {
        return await this.#turn(signal)
      } catch (error) {
        if (signal.aborted) return
        // A connection that keeps breaking is still good if parts arrive in between.
        failures = this.sentBytes > before ? 0 : failures + 1
        const waitMs = waitAfter(error, failures)
        if (waitMs === undefined) return this.#fail(explain(error, this.file))
        if (isUnanswered(error) && !(await readHead(this.file))) {
          return this.#fail({ message: unreadable(this.file), canBeTriedAgain: false })
        }
        if (isGone(error)) this.uploadId = undefined
        const why = error instanceof ApiError && error.code !== 'Unrecognized' && error.message
        this.#become({ phase: 'waiting', sentBytes: this.sentBytes, ...(why ? { why } : {}) })
        await this.#ports.wait(waitMs, signal)
      }
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const record = await this.#recordOf(signal)
    this.uploadId = record.uploadId
    if (record.status === 'refused') {
      return this.#fail({ message: notAVideo(this.file), canBeTriedAgain: false })
    }
    if (record.status !== 'ready') {
      await this.#sendMissing(record, signal)
      this.#become({ phase: 'checking' })
      await this.#ports.complete(record.uploadId, signal)
    }
    if (!signal.aborted) this.#become({ phase: 'ready', uploadId: record.uploadId })
  }

  async #recordOf(signal: AbortSignal): Promise<KnownUpload> {
    if (this.uploadId === undefined) this.#become({ phase: 'opening' })
    else {
      const known = await this.#ports.read(this.uploadId, signal)
      if (known.status !== 'used') return known
    }
    return { ...(await this.#ports.open(this.file, signal)), status: 'open' }
  }

  /** Sends the parts that the service still lacks. */
  async #sendMissing({ parts, partSize }: Opened, signal: AbortSignal): Promise<void> {
    const plan = { parts, partSize, sizeInBytes: this.file.size }
    this.#arrivedBytes = this.file.size - bytesOfParts(plan)
    this.#tellProgress()
    // Nothing is retried here: the next turn first asks which parts have arrived, and shows that it waits.
    const fetch = async (url: string, init: RequestInit) => this.#sendPart(url, init, signal)
    await sendParts(plan, this.file, { parallel: atOnce, maxRetries: 0, signal, fetch })
    signal.throwIfAborted()
  }

  async #sendPart(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const { size } = init.body as Blob
    try {
      const response = await this.#ports.sendPart(url, init, (bytes) => {
        this.#underWay.set(url, Math.min(bytes, size))
        if (!signal.aborted) this.#tellProgress()
      })
      if (response.ok) this.#arrivedBytes += size
      return response
    } finally {
      this.#underWay.delete(url)
      if (!signal.aborted) this.#tellProgress()
    }
  }

  #tellProgress(): void {
    const sentBytes = this.sentBytes
    this.#pace.note(sentBytes, this.#ports.now())
    const { bytesPerSecond } = this.#pace
    const secondsLeft = this.#pace.secondsFor(this.file.size - sentBytes)
    this.#become({
      phase: 'sending',
      sentBytes,
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
      ...(secondsLeft === undefined ? {} : { secondsLeft }),
    })
  }

  #fail(failure: UploadFailure): void {
    this.#become({ phase: 'failed', ...failure })
  }

  #become(state: UploadState): void {
    this.state = state
    this.#changed(this)
  }
}

/** How long to wait before the next try; undefined if trying again cannot help. */
export function waitAfter(error: unknown, failures: number): number | undefined {
  const usual = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs)
  if (isUnanswered(error)) return usual
  if (!(error instanceof ApiError)) return undefined
  const { status, retryAfterSeconds = 0 } = error
  const passes = status === 429 || status >= 500 || isPassingConflict(error)
  if (passes) return Math.max(usual, retryAfterSeconds * 1000)
  // The upload is gone, or the address of a part has expired: both are read again.
  return (status === 404 || status === 403) && failures <= 3 ? 0 : undefined
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

type UploadFailure = { message: string; canBeTriedAgain: boolean }

/** What a refusal means for a reader who has chosen a file. */
function explain(error: unknown, file: File): UploadFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof ApiError)) return { message, canBeTriedAgain: true }
  const isOfBytes = error.status === 422 || error.faults.some(({ path }) => path === 'file')
  if (isOfBytes) return { message: notAVideo(file), canBeTriedAgain: false }
  switch (error.status) {
    case 401:
      return {
        message: 'You are signed out. Sign in again in another tab, then go on here.',
        canBeTriedAgain: true,
      }
    case 413:
      return { message: `“${file.name}” is too large to be sent here.`, canBeTriedAgain: false }
    default:
      return { message, canBeTriedAgain: true }
  }
}

/** Whether the service was not reached, so that the same request can be tried again. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError
}

const windowMs = 8000
const soonestMs = 1500

/** How fast bytes have been sent lately, and how long the rest will take at that pace. */
export class UploadPace {
  #samples: { at: number; bytes: number }[] = []

  note(bytes: number, at: number): void {
    this.#samples.push({ at, bytes })
    this.#samples = this.#samples.filter((sample) => at - sample.at <= windowMs)
  }

  /** Forgets the pace before a pause. */
  forget(): void {
    this.#samples = []
  }

  /** Undefined until enough bytes have been sent to tell. */
  get bytesPerSecond(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (!first || !last || last.at - first.at < soonestMs || last.bytes <= first.bytes) {
      return undefined
    }
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
  }

  secondsFor(bytes: number): number | undefined {
    const pace = this.bytesPerSecond
    return pace === undefined ? undefined : bytes / pace
  }
}
