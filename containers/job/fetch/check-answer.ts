import type { IncomingMessage } from 'node:http'
import { JobError } from '../../errors/job-error.ts'
import { noRoom } from '../disk-room.ts'
import { unreachable, type Fetchable } from './fetch-faults.ts'
import { NetworkFaultError } from './guarded-fetch.ts'
import { askForMore, type AskedRange } from './resume-download.ts'

/** Messages for the service's own links. Other failures of them are failures of its storage. */
const deadLinks = {
  403: 'this link to a file of ours is not valid, or has expired',
  404: 'this link is to a file of ours that is no longer there',
} as const

/** Throws if the status or headers of an answer are wrong. */
export function checkAnswer(response: IncomingMessage, input: Fetchable, asked: AskedRange): void {
  const status = response.statusCode ?? 0
  if (status >= 500) throw new NetworkFaultError(`the server answered ${status}`)
  // For 206 or 416 instead of the rest, the file has changed and is requested again from its start.
  const isPiece = 'Range' in askForMore(asked) && (status === 206 || status === 416)
  if (input.origin === 'link' && (status === 403 || status === 404)) {
    throw new JobError(
      input.failure ?? 'source_unreachable',
      `${input.field}: ${deadLinks[status]}.`,
    )
  }
  if (status !== 200 && !isPiece) throw unreachable(input, `the server answered ${status}`)
  const coding = response.headers['content-encoding'] ?? 'identity'
  if (coding !== 'identity') {
    throw unreachable(input, 'the server sent it compressed, unasked.')
  }
}

type FetchLimits = {
  readonly input: Fetchable
  readonly limits: {
    readonly maxSourceBytes: number
    readonly maxJobInputBytes: number
    readonly roomBytes: number
  }
}

/** Throws if the file, or all files of the job together, are larger than is allowed or than fits on the disk. */
export function refuseTooLarge(
  { input, limits }: FetchLimits,
  fileBytes: number,
  jobBytes: number,
): void {
  const maxBytes = Math.min(limits.maxSourceBytes, input.maxBytes ?? limits.maxSourceBytes)
  if (fileBytes > maxBytes) {
    throw new JobError(
      input.maxBytes === undefined ? 'source_too_large' : (input.failure ?? 'source_too_large'),
      `${input.field}: the file is larger than ${maxBytes} bytes.`,
    )
  }
  if (jobBytes > limits.maxJobInputBytes) {
    throw new JobError(
      'source_too_large',
      `All files of this video together are larger than ${limits.maxJobInputBytes} bytes.`,
    )
  }
  if (jobBytes > limits.roomBytes) {
    throw noRoom()
  }
}
