import type { Fetchable } from '../../../containers/job/fetch/fetch-faults.ts'
import { fetchInputs } from '../../../containers/job/fetch/fetch-inputs.ts'
import {
  transferDefaults,
  type TransferLimits,
} from '../../../containers/job/fetch/transfer-limits.ts'
import { ownService } from './own-service.ts'
import { aFolder } from './tool-context.ts'

export type Fetching = {
  readonly urls: readonly string[]
  readonly limits?: Partial<TransferLimits> | undefined
  /** Of each of them. */
  readonly input?: Partial<Fetchable> | undefined
  readonly signal?: AbortSignal | undefined
}

/** Fetches sources into a folder of the test; only those on this machine, and with pauses that do not keep a test waiting. */
export async function fetchHere({ urls, limits, input, signal }: Fetching) {
  const folder = await aFolder()
  const shares: number[] = []
  const names = await fetchInputs({
    inputs: urls.map((url, i) => ({
      field: urls.length > 1 ? `files[${i}].url` : 'fileUrl',
      url,
      origin: 'customer',
      ...input,
    })),
    folder,
    signal: signal ?? new AbortController().signal,
    onProgress: (share) => shares.push(share),
    limits: {
      ...transferDefaults,
      allowedHosts: new Set(['127.0.0.1']),
      own: ownService('https://api.spool.example'),
      ...{ maxSourceBytes: 1_000_000, maxJobInputBytes: 1_000_000, roomBytes: 1e9 },
      ...{ totalMs: 60_000, backoffMs: [1, 1] },
      ...limits,
    },
  })
  return { folder, names, shares }
}
