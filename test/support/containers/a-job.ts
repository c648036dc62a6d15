import { randomUUID } from 'node:crypto'
import {
  type MediaInput,
  type MediaJob,
  protocolVersion,
} from '../../../worker/contract/job/media-job.ts'
import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { reportKey } from './receiver.ts'

export type JobParts = {
  inputs: readonly (string | Partial<MediaInput>)[]
  reportsUrl: string
  options?: Readonly<Record<string, unknown>>
  jobId?: string
  account?: string
  fence?: number
  heartbeatSeconds?: number
}

/** The id of another job, for tests that share a media worker. */
export function aJobId(): string {
  return `j_${randomUUID().replaceAll('-', '')}`
}

/** A job as the Worker would send it. */
export function aJob({ inputs, reportsUrl, options = {}, ...rest }: JobParts): MediaJob {
  return {
    version: protocolVersion,
    jobId: rest.jobId ?? 'j_aaaaaaaaaaaaaaaa',
    videoId: 'v_aaaaaaaa',
    account: rest.account ?? 'a_aaaaaaaaaaaa',
    fence: rest.fence ?? 1,
    attempt: 1,
    inputs: inputs.map((input, i) => ({
      field: inputs.length > 1 ? `files[${i}].url` : 'fileUrl',
      url: '',
      origin: 'customer',
      ...(typeof input === 'string' ? { url: input } : input),
    })),
    options: optionsSchema.parse(options),
    reports: {
      url: reportsUrl,
      key: reportKey,
      heartbeatSeconds: rest.heartbeatSeconds ?? 10,
    },
  }
}
