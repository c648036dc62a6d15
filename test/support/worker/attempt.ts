import { stillKinds, type StillKind } from '../../../worker/contract/job/check.ts'
import type { MediaJob, OutputKind } from '../../../worker/contract/job/media-job.ts'
import { outputGrant } from '../../../worker/contract/job/media-job.ts'
import type { AttemptTrace, UploadedOutput } from '../../../worker/contract/job/report.ts'
import { signatureHeader, signMessage } from '../../../worker/contract/job/signed-message.ts'
import type { Phase } from '../../../worker/contract/video/video-state.ts'
import { bindings } from './bindings.ts'
import { send, type Answer } from './client.ts'

export const aTrace: AttemptTrace = {
  phases: [{ name: 'rendering', startedAt: '2026-11-21T10:00:00.000Z', durationMs: 1200 }],
  commands: [{ program: 'ffmpeg', args: ['-i', 'in0'], durationMs: 1100, exitCode: 0 }],
  plan: { copies: ['audio'] },
}

export const someMetadata = { width: 640, height: 360, duration: 2.5, fps: 25, sizeInBytes: 26 }

const outputs = {
  final: { extension: 'mp4', contentType: 'video/mp4' },
  thumbnail: { extension: 'jpg', contentType: 'image/jpeg' },
  'transcript-json': { extension: 'json', contentType: 'application/json' },
  'transcript-txt': { extension: 'txt', contentType: 'text/plain; charset=utf-8' },
  'transcript-srt': { extension: 'srt', contentType: 'application/x-subrip; charset=utf-8' },
  'transcript-vtt': { extension: 'vtt', contentType: 'text/vtt; charset=utf-8' },
} as const

function isUsual(kind: OutputKind): kind is keyof typeof outputs {
  return Object.hasOwn(outputs, kind)
}

function isStill(kind: OutputKind): kind is StillKind {
  return stillKinds.some((one) => one === kind)
}

type Message = Record<string, unknown>

/** What the films of these tests consist of. */
export const finalText = 'abcdefghijklmnopqrstuvwxyz'

/** Acts as the media worker that holds one claim: signs as it does, and writes parts where it may. */
export class Attempt {
  readonly job: MediaJob
  sequence = 0

  constructor(job: MediaJob) {
    this.job = job
  }

  /** A report with the given fields in place of the usual ones. */
  async report(message: Message, signing: { key?: string; at?: number } = {}): Promise<Answer> {
    this.sequence++
    return this.#post('', { fence: this.job.fence, sequence: this.sequence, ...message }, signing)
  }

  async progress(
    progressPercent: number,
    phase: Phase = 'rendering',
    more: Message = {},
  ): Promise<Answer> {
    return this.report({ type: 'progress', phase, progressPercent, ...more })
  }

  async fail(failure: Message = {}): Promise<Answer> {
    const usual = { reason: 'internal', message: 'The encoder stopped.', retryable: true }
    return this.report({ type: 'failed', ...usual, trace: aTrace, ...failure })
  }

  async release(): Promise<Answer> {
    return this.report({ type: 'released', trace: aTrace })
  }

  async askForUpload(kind: OutputKind, sizeBytes: number, more: Message = {}): Promise<Answer> {
    const file = isUsual(kind) ? outputs[kind] : isStill(kind) ? outputs.thumbnail : outputs.final
    return this.#post('/outputs', { fence: this.job.fence, kind, ...file, sizeBytes, ...more })
  }

  /** Asks for addresses and writes the bytes. */
  async upload(kind: OutputKind, text: string, more: Message = {}): Promise<UploadedOutput> {
    const { length } = new TextEncoder().encode(text)
    return writeGranted(await this.askForUpload(kind, length, more), kind, text)
  }

  async succeed(written: UploadedOutput[], more: Message = {}): Promise<Answer> {
    return this.report({
      type: 'succeeded',
      outputs: written,
      videoMetadata: someMetadata,
      warnings: [],
      trace: aTrace,
      ...more,
    })
  }

  /** Stores a film, and succeeds with it alone. */
  async finish(more: Message = {}): Promise<Answer> {
    return this.succeed([await this.upload('final', finalText)], more)
  }

  async #post(path: string, message: Message, signing: { key?: string; at?: number } = {}) {
    const body = JSON.stringify(message)
    const { key = this.job.reports.key, at = Date.now() } = signing
    return send(new URL(this.job.reports.url).pathname + path, {
      method: 'POST',
      body,
      headers: { [signatureHeader]: await signMessage(key, body, at) },
    })
  }
}

/** Writes the bytes where the answer allows it, through the binding, because the tests have no S3 endpoint. */
export async function writeGranted(
  granted: Answer,
  kind: OutputKind,
  text: string,
): Promise<UploadedOutput> {
  const bytes = new TextEncoder().encode(text)
  const grant = outputGrant.parse(granted.json)
  const parts: UploadedOutput['parts'] = []
  for (const { partNumber, url } of grant.parts) {
    const { partSizeBytes } = grant
    const part = bytes.slice((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes)
    const { key, uploadId } = objectOf(url)
    const upload = bindings.BUCKET.resumeMultipartUpload(key, uploadId)
    const { etag } = await upload.uploadPart(partNumber, part)
    parts.push({ partNumber, etag })
  }
  return { kind, sizeBytes: bytes.length, parts }
}

/** The object and upload that a part's address is for. */
export function objectOf(partUrl: string): { key: string; uploadId: string } {
  const { pathname, searchParams } = new URL(partUrl)
  const key = decodeURIComponent(pathname.split('/spool-media/')[1] ?? '')
  return { key, uploadId: searchParams.get('uploadId') ?? '' }
}
