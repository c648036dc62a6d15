import path from 'node:path'
import { replacedField } from '../../../worker/contract/addresses/addresses-beside.ts'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { FetchedFile } from '../../../worker/contract/job/report.ts'
import { hashFile } from '../../parts/make/render-part.ts'
import type { Fetched } from '../job-context.ts'

type Hashing = {
  readonly job: Pick<MediaJob, 'inputs'>
  readonly folder: string
  readonly signal: AbortSignal
}

/** The hash of the file in each field of the request. `known`: by file name, the hashes of files that are here only in part. */
export async function hashFetched(
  { job, folder, signal }: Hashing,
  { sources, elements, beside }: Fetched,
  known = new Map<string, string>(),
): Promise<FetchedFile[]> {
  const named = [
    ...job.inputs.map(({ field }, i) => ({ field, name: sources[i] })),
    ...elements.map((name, i) => ({ field: `elements[${i}].url`, name })),
    ...[...beside].map(([field, name]) => ({ field, name })),
  ]
  const files: FetchedFile[] = []
  for (const { field, name } of named) {
    if (name === undefined) continue
    const sha256 = known.get(name) ?? (await hashFile(path.join(folder, name), signal))
    known.set(name, sha256)
    files.push({ field, sha256 })
  }
  return files
}

/** The hashes of everything that may be heard: of the sources, in order, and of the sound that replaces theirs. */
export function hashesHeard(
  files: readonly FetchedFile[],
  { sources }: Pick<Fetched, 'sources'>,
): string[] {
  return files
    .filter(({ field }, i) => i < sources.length || field === replacedField)
    .map(({ sha256 }) => sha256)
}
