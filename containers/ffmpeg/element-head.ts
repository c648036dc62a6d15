import { open } from 'node:fs/promises'
import path from 'node:path'
import { sniffBytes, sniffFormat } from '../../worker/contract/video/sniff-format.ts'
import { JobError } from '../errors/job-error.ts'

type ElementFile = { readonly path: string; readonly field: string }

/** Reads the first bytes of an element's file, which decide what kind of file it is. */
export async function readHead(folder: string, file: ElementFile): Promise<Buffer> {
  const handle = await open(path.join(folder, file.path))
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

export async function wrongKind(
  { field }: ElementFile,
  wanted: string,
  head: Buffer,
): Promise<JobError> {
  const found = await sniffFormat(head)
  const name =
    found.kind === 'video' ? found.format.toUpperCase() : found.kind === 'other' && found.name
  const what = head.length === 0 ? ' but empty' : name ? ` but: ${name}` : ''
  return new JobError('element_unusable', `${field}: the file is not ${wanted}${what}.`)
}
