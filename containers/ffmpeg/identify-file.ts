import { open } from 'node:fs/promises'
import {
  knownVideos,
  sniffBytes,
  sniffFormat,
  type SourceFormat,
} from '../../worker/contract/video/sniff-format.ts'
import { JobError } from '../errors/job-error.ts'

/** Tells the container of a video by its bytes. */
export async function identifyFile(
  file: string,
  field: string,
): Promise<{ format: SourceFormat; sizeBytes: number }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
    const sniffed = await sniffFormat(buffer.subarray(0, bytesRead))
    if (sniffed.kind === 'video') return { format: sniffed.format, sizeBytes: size }
    const found =
      size === 0 ? 'an empty file' : sniffed.kind === 'unknown' ? undefined : sniffed.name
    const what = found ? `is not a video but: ${found}` : 'is not a video of a known format'
    throw new JobError(
      'source_not_media',
      `${field}: the file ${what}. Supported are ${knownVideos}.`,
    )
  } finally {
    await handle.close()
  }
}
