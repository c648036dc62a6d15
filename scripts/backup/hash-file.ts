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

/** Does some work for each item, a few at a time, until one fails or the signal says to stop. */
export async function forEachOf<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const atOnce = 4
  const rest = items[Symbol.iterator]()
  let isOver = false
  const runner = async () => {
    for (const item of rest) {
      signal.throwIfAborted()
      if (isOver) return
      await work(item)
    }
  }
  const runners = Array.from({ length: atOnce }, async () =>
    runner().catch((error: unknown) => {
      isOver = true
      throw error
    }),
  )
  const ends = await Promise.allSettled(runners)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
