import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import { outputGrant } from '../../../worker/contract/job/media-job.ts'
import {
  partsAnswers,
  type PartFile,
  type PartJob,
  type PartsRequest,
  type PartTry,
} from '../../../worker/contract/job/part-job.ts'
import type { PartSpec } from '../../../worker/contract/job/part-spec.ts'
import { signatureHeader, signMessage } from '../../../worker/contract/job/signed-message.ts'
import { bindings } from './bindings.ts'
import { objectOf } from './attempt.ts'
import { send, type Answer } from './client.ts'

type Message = Record<string, unknown>

async function post(url: string, key: string, message: Message): Promise<Answer> {
  const body = JSON.stringify(message)
  const headers = { [signatureHeader]: await signMessage(key, body, Date.now()) }
  return send(new URL(url).pathname, { method: 'POST', body, headers })
}

/** Any part; the service only passes it on. */
export function aPartSpec(n: number): PartSpec {
  return {
    ...{ version: 1, n, files: [], texts: [], nodes: [], picture: { node: 0, pad: 0 } },
    ...{ zeroSeconds: 0, before: 0, count: 10, after: 0, encoded: [0, 1], edges: [], keys: [] },
    ...{ fps: 25, hasConstantRate: true, coding: [] },
  }
}

type WithoutFence<R> = R extends PartsRequest ? Omit<R, 'fence'> : never

/** Acts as the media worker that leads a film: asks for others that render parts of it. */
export class FilmLead {
  readonly #job: Pick<MediaJob, 'fence' | 'reports'>

  constructor(job: Pick<MediaJob, 'fence' | 'reports'>) {
    this.#job = job
  }

  async ask(request: WithoutFence<PartsRequest>): Promise<Answer> {
    const { fence, reports } = this.#job
    return post(`${reports.url}/parts`, reports.key, { ...request, fence })
  }

  async idle(): Promise<number> {
    return partsAnswers.idle.parse((await this.ask({ ask: 'idle' })).json).idle
  }

  /** Whether a media worker took the part. */
  async give(n: number, number = 1, files: PartFile[] = []): Promise<boolean> {
    const answer = await this.ask({ ask: 'give', n, try: number, spec: aPartSpec(n), files })
    return partsAnswers.give.parse(answer.json).taken
  }

  /** How these parts are, one after the other. */
  async states(...parts: PartTry[]) {
    const answer = await this.ask({ ask: 'state', parts })
    return partsAnswers.state.parse(answer.json).parts
  }

  async store(name: string, text: string): Promise<void> {
    const granted = await this.ask({ ask: 'store', name, sizeBytes: text.length })
    await this.ask({ ask: 'stored', name, parts: await write(granted, text) })
  }
}

export const partText = 'a part of a film'

/** Acts as a media worker that renders one part. */
export class PartHand {
  readonly part: PartJob

  constructor(part: PartJob) {
    this.part = part
  }

  async progress(pictures: number): Promise<Answer> {
    return this.#report('', { type: 'progress', pictures, bytes: pictures * 10 })
  }

  async askForUpload(text = partText): Promise<Answer> {
    return this.#report('/outputs', { sizeBytes: text.length })
  }

  /** Uploads its result and says so. */
  async finish(): Promise<Answer> {
    const granted = await this.askForUpload()
    return granted.status === 200 ? this.done(await write(granted, partText)) : granted
  }

  async done(parts: Uploaded[], sizeBytes = partText.length): Promise<Answer> {
    const result = { sizeBytes, sha256: 'a'.repeat(64), pictures: 10, cpuMs: 5, edges: ['e'] }
    return this.#report('', { type: 'done', result, parts })
  }

  async write(granted: Answer): Promise<Uploaded[]> {
    return write(granted, partText)
  }

  async fail(): Promise<Answer> {
    return this.#report('', { type: 'failed', message: 'It broke.' })
  }

  async release(): Promise<Answer> {
    return this.#report('', { type: 'released' })
  }

  async #report(path: string, message: Message): Promise<Answer> {
    const { fence, n, try: number, reports } = this.part
    return post(reports.url + path, reports.key, { fence, n, try: number, ...message })
  }
}

type Uploaded = { partNumber: number; etag: string }

/** Writes where the answer allows it, through the binding, because the tests have no S3 endpoint. */
async function write(granted: Answer, text: string): Promise<Uploaded[]> {
  const { parts } = outputGrant.parse(granted.json)
  const written: Uploaded[] = []
  for (const { partNumber, url } of parts) {
    const { key, uploadId } = objectOf(url)
    const upload = bindings.BUCKET.resumeMultipartUpload(key, uploadId)
    written.push({ partNumber, etag: (await upload.uploadPart(partNumber, text)).etag })
  }
  return written
}

/** Every object that was exchanged for films. */
export async function partKeys(): Promise<string[]> {
  const { objects } = await bindings.BUCKET.list({ prefix: 'parts/' })
  return objects.map(({ key }) => key)
}
