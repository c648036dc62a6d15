import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { FetchedFile } from '../../../worker/contract/job/report.ts'
import type { Fetched } from '../job-context.ts'

type Hashing = {
  readonly job: Pick<MediaJob, 'inputs'>
  readonly folder: string
  readonly signal: AbortSignal
}

/** What every field of the request that names a file has got. */
export async function hashFetched(
  { job, folder, signal }: Hashing,
  { sources, elements, beside }: Fetched,
): Promise<FetchedFile[]> {
  const named = [
    ...job.inputs.map(({ field }, i) => ({ field, name: sources[i] })),
    ...elements.map((name, i) => ({ field: `elements[${i}].url`, name })),
    ...[...beside].map(([field, name]) => ({ field, name })),
  ]
  const known = new Map<string, string>()
  const files: FetchedFile[] = []
  for (const { field, name } of named) {
    if (name === undefined) continue
    const sha256 = known.get(name) ?? (await hashFile(path.join(folder, name), signal))
    known.set(name, sha256)
    files.push({ field, sha256 })
  }
  return files
}

async function hashFile(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash, { signal })
  return hash.digest('hex')
}
