import { ApiError, NoAnswer } from './call-api.ts'
import { UploadPace } from './upload-pace.ts'

export type Missing = { partNumber: number; url: string }
export type Opened = { uploadId: string; partSize: number; parts: Missing[] }
export type UploadRecord = Opened & {
  status: 'open' | 'ready' | 'refused' | 'used'
  message?: string
}

export type PartSending = { signal: AbortSignal; onSent: (bytes: number) => void }

/** What an upload needs of the world. */
export type UploadPorts = {
  open: (file: File, signal: AbortSignal) => Promise<Opened>
  read: (uploadId: string, signal: AbortSignal) => Promise<UploadRecord>
  complete: (uploadId: string, signal: AbortSignal) => Promise<void>
  sendPart: (url: string, body: Blob, sending: PartSending) => Promise<void>
  /** Resolves after that time, or as soon as the machine is online again. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => number
}

export type UploadState =
  | { phase: 'opening' | 'checking' }
  | { phase: 'sending'; sentBytes: number; bytesPerSecond?: number; secondsLeft?: number }
  | { phase: 'paused' | 'waiting'; sentBytes: number }
  | { phase: 'ready'; uploadId: string }
  | { phase: 'failed'; message: string }

const atOnce = 3
const firstWaitMs = 1000
const longestWaitMs = 30_000

/** Sends a file in parts. What has arrived is never sent again: not after a pause, not after a cut, not after a reload. */
export class Upload {
  readonly file: File
  uploadId: string | undefined
  state: UploadState = { phase: 'opening' }
  readonly #ports: UploadPorts
  readonly #changed: (upload: Upload) => void
  readonly #pace = new UploadPace()
  /** Bytes that have gone, by part. */
  #sent = new Map<number, number>()
  #stop = new AbortController()

  constructor(file: File, ports: UploadPorts, changed: (upload: Upload) => void) {
    this.file = file
    this.#ports = ports
    this.#changed = changed
  }

  get sentBytes(): number {
    return [...this.#sent.values()].reduce((sum, bytes) => sum + bytes, 0)
  }

  pause(): void {
    this.#stop.abort()
    this.#become({ phase: 'paused', sentBytes: this.sentBytes })
  }

  /** Ends it for good; nothing is told any more. */
  leave(): void {
    this.#stop.abort()
  }

  /** Goes on until the file is there, it fails for good, or somebody pauses it. */
  async run(): Promise<void> {
    this.#stop = new AbortController()
    const { signal } = this.#stop
    this.#pace.forget()
    for (let failures = 0; !signal.aborted;) {
      const before = this.sentBytes
      try {
        return await this.#turn(signal)
      } catch (error) {
        if (signal.aborted) return
        // A connection that is cut again and again is still good if something arrives in between.
        failures = this.sentBytes > before ? 0 : failures + 1
        const waitMs = waitAfter(error, failures)
        if (waitMs === undefined) {
          return this.#become({ phase: 'failed', message: messageOf(error) })
        }
        if (isGone(error)) this.uploadId = undefined
        this.#become({ phase: 'waiting', sentBytes: this.sentBytes })
        await this.#ports.wait(waitMs, signal)
      }
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const record = await this.#recordOf(signal)
    this.uploadId = record.uploadId
    if (record.status === 'refused') {
      const message = record.message ?? 'The file was refused.'
      return this.#become({ phase: 'failed', message })
    }
    if (record.status !== 'ready') {
      this.#count(record)
      await this.#sendAll(record, signal)
      this.#become({ phase: 'checking' })
      await this.#ports.complete(record.uploadId, signal)
    }
    if (!signal.aborted) this.#become({ phase: 'ready', uploadId: record.uploadId })
  }

  async #recordOf(signal: AbortSignal): Promise<UploadRecord> {
    if (this.uploadId === undefined) this.#become({ phase: 'opening' })
    else {
      const known = await this.#ports.read(this.uploadId, signal)
      if (known.status !== 'used') return known
    }
    return { ...(await this.#ports.open(this.file, signal)), status: 'open' }
  }

  /** What is not missing has arrived. */
  #count({ partSize, parts }: Opened): void {
    const missing = new Set(parts.map(({ partNumber }) => partNumber))
    const count = Math.ceil(this.file.size / partSize)
    const numbers = Array.from({ length: count }, (_, i) => i + 1)
    this.#sent = new Map(
      numbers.map((number) => [
        number,
        missing.has(number) ? 0 : this.#part(number, partSize).size,
      ]),
    )
    this.#tellProgress()
  }

  #part(partNumber: number, partSize: number): Blob {
    return this.file.slice((partNumber - 1) * partSize, partNumber * partSize)
  }

  async #sendAll({ parts, partSize }: Opened, signal: AbortSignal): Promise<void> {
    const waiting = [...parts]
    const failed = new AbortController()
    const either = AbortSignal.any([signal, failed.signal])
    const work = async () => {
      for (let part = waiting.shift(); part && !either.aborted; part = waiting.shift()) {
        await this.#send(part, partSize, either)
      }
    }
    try {
      await Promise.all(Array.from({ length: atOnce }, work))
    } finally {
      failed.abort()
    }
    signal.throwIfAborted()
  }

  async #send({ partNumber, url }: Missing, partSize: number, signal: AbortSignal): Promise<void> {
    const body = this.#part(partNumber, partSize)
    const onSent = (bytes: number) => {
      if (signal.aborted) return
      this.#sent.set(partNumber, bytes)
      this.#tellProgress()
    }
    try {
      await this.#ports.sendPart(url, body, { signal, onSent })
    } catch (error) {
      this.#sent.set(partNumber, 0)
      throw error
    }
    onSent(body.size)
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

  #become(state: UploadState): void {
    this.state = state
    this.#changed(this)
  }
}

/** How long to wait before the next try; undefined if trying again cannot help. */
export function waitAfter(error: unknown, failures: number): number | undefined {
  const usual = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs)
  if (error instanceof NoAnswer) return usual
  if (!(error instanceof ApiError)) return undefined
  const { status, body } = error
  if (status === 429 || status >= 500) return Math.max(usual, (body.retryAfter ?? 0) * 1000)
  // The upload is gone, or the address of a part is too old: both are read once more.
  return (status === 404 || status === 403) && failures <= 3 ? 0 : undefined
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
