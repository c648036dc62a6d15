import { open, stat } from 'node:fs/promises'
import {
  knownVideos,
  sniffBytes,
  sniffFormat,
  type SourceFormat,
} from '../../worker/contract/video/sniff-format.ts'
import { JobError } from '../errors/job-error.ts'
import { formatName } from '../../worker/contract/video/format-name.ts'

/** The first bytes of a file, as many as its kind can be told by. */
export async function headOf(file: string): Promise<Buffer> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** Tells the container of a video by its bytes. */
export async function identifyFile(
  file: string,
  field: string,
): Promise<{ format: SourceFormat; sizeBytes: number }> {
  const [{ size }, sniffed] = [await stat(file), await sniffFormat(await headOf(file))]
  if (sniffed.kind === 'video') return { format: sniffed.format, sizeBytes: size }
  const what = `the file is not a video of a known format${foundAs(sniffed, size)}`
  throw new JobError('source_not_media', `${field}: ${what}. Supported are ${knownVideos}.`)
}

/** ` (found: HTML page)`, or nothing if the bytes are not recognised. */
export function foundAs(
  sniffed: Awaited<ReturnType<typeof sniffFormat>>,
  sizeBytes: number,
): string {
  if (sizeBytes === 0) return ' (found: an empty file)'
  if (sniffed.kind === 'unknown') return ''
  return ` (found: ${sniffed.kind === 'video' ? formatName(sniffed.format) : sniffed.name})`
}
