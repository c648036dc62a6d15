import path from 'node:path'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { FetchedFile } from '../../../worker/contract/job/report.ts'
import { hashFile } from '../../parts/make/render-part.ts'
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
