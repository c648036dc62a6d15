import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SpoolError } from '../errors.ts'
import type { OpenedSource } from '../upload/opened-source.ts'

/** A file by its path. */
export async function openPath(source: string | URL): Promise<OpenedSource> {
  const file = source instanceof URL ? fileURLToPath(source) : source
  const handle = await open(file, 'r')
  try {
    return await describeFile(file, handle)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function describeFile(file: string, handle: FileHandle): Promise<OpenedSource> {
  const facts = await handle.stat()
  if (facts.isDirectory()) throw new SpoolError(`${file} is a folder, not a file.`)
  const stream = () => handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>
  const shared = { fileName: path.basename(file), contentType: undefined, stream }
  // A pipe tells no size, and cannot be read from any place.
  if (!facts.isFile()) {
    const read = async () => Promise.reject(new SpoolError(`Say the sizeInBytes of ${file}.`))
    return { ...shared, size: undefined, read, close: async () => handle.close() }
  }
  if (facts.size === 0) throw new SpoolError(`${file} is empty.`)
  return {
    ...shared,
    size: facts.size,
    read: async (start, end) => readRange(file, handle, start, end),
    close: async () => handle.close(),
  }
}

async function readRange(file: string, handle: FileHandle, start: number, end: number) {
  const bytes = new Uint8Array(end - start)
  for (let filled = 0; filled < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled)
    if (bytesRead === 0) throw new SpoolError(`${file} became shorter while it was sent.`)
    filled += bytesRead
  }
  return bytes
}
