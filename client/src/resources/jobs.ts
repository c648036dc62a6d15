import type { Job, JobPage } from '../api-types.ts'
import { pathPart, type CallOptions, type Transport } from '../http/transport.ts'

/** The work on videos: every attempt, its phases, and why it failed. */
export class Jobs {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async get(jobId: string, options?: CallOptions): Promise<Job> {
    const path = `/v1/jobs/${pathPart(jobId, 'jobId')}`
    return this.#transport.json<Job>({ method: 'GET', path }, options)
  }

  /** The job of a video; undefined if there is no such video. */
  async ofVideo(videoId: string, options?: CallOptions): Promise<Job | undefined> {
    const call = { method: 'GET', path: '/v1/jobs', query: { videoId } } as const
    const { data } = await this.#transport.json<JobPage>(call, options)
    return data[0]
  }
}
