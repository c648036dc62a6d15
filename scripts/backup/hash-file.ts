import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The SHA-256 of a file. `sync` waits until the file is on the disk. */
export async function hashFile(
  file: string,
  { sync, signal }: { sync: boolean; signal: AbortSignal },
): Promise<string> {
  const handle = await open(file)
  try {
    const hash = createHash('sha256')
    const chunks = handle.createReadStream({ autoClose: false, highWaterMark: 2 ** 20, signal })
    for await (const chunk of chunks) hash.update(chunk as Buffer)
    if (sync) await handle.sync()
    return hash.digest('hex')
  } finally {
    await handle.close()
  }
}

/** Files that are read or written side by side. */
export const filesAtOnce = 4
