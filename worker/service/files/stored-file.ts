import type { OutputKind } from '../../contract/job/media-job.ts'
import type { StoredOutput, VideoRow } from '../../store/tables/tables.ts'

/** Where a file of a video lies. A transcript in which speakers were renamed lies beside the one that the job has written. */
export function storedFile(
  { transcript, result }: Pick<VideoRow, 'result'> & Partial<Pick<VideoRow, 'transcript'>>,
  kind: OutputKind,
): StoredOutput | undefined {
  const written = result?.outputs[kind]
  return written && (transcript?.renamed?.files[kind] ?? written)
}
