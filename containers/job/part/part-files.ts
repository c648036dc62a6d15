import path from 'node:path'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import {
  partsAnswers,
  type PartFile,
  type PartsRequest,
} from '../../../worker/contract/job/part-job.ts'
import { uploadFile } from '../report/upload-output.ts'
import { askOfParts } from './ask-of-parts.ts'

type FilesOf = {
  readonly job: Pick<MediaJob, 'fence' | 'reports' | 'inputs'>
  readonly folder: string
  readonly signal: AbortSignal
}

/** Puts the files of a job where other media workers can read them: each once, and none that is there already. */
export class PartFiles {
  readonly #of: FilesOf
  readonly #stored = new Map<string, Promise<PartFile>>()

  constructor(of: FilesOf) {
    this.#of = of
  }

  /** Whether all of these are there, or on their way. */
  hasAll(names: readonly string[]): boolean {
    return names.every((name) => this.#isUploadedSource(name) || this.#stored.has(name))
  }

  /** These files, of the folder of the job. */
  async store(names: readonly string[]): Promise<PartFile[]> {
    return Promise.all(names.map(async (name) => this.#storeOnce(name)))
  }

  async #storeOnce(name: string): Promise<PartFile> {
    if (this.#isUploadedSource(name)) return { name, from: 'source' }
    const storing = this.#stored.get(name) ?? this.#store(name)
    this.#stored.set(name, storing)
    // Another part tries it again.
    storing.catch(() => this.#stored.delete(name))
    return storing
  }

  /** The inputs are fetched as `in0`, `in1`, …, and at most one of them is an upload. */
  #isUploadedSource(name: string): boolean {
    return this.#of.job.inputs.some(({ origin }, i) => origin === 'storage' && name === `in${i}`)
  }

  async #store(name: string): Promise<PartFile> {
    const { job, folder, signal } = this.#of
    const { fence, reports } = job
    const body = (sizeBytes: number) =>
      ({ ask: 'store', fence, name, sizeBytes }) satisfies PartsRequest
    const { parts } = await uploadFile({
      ...{ file: path.join(folder, name), signal, onProgress: () => undefined },
      grant: { url: `${reports.url}/parts`, key: reports.key, body },
    })
    const stored = { ask: 'stored', fence, name, parts } satisfies PartsRequest
    await askOfParts({ job, signal }, stored, partsAnswers.stored)
    return { name, from: 'stored' }
  }
}
