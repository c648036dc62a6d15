import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems assign to connections and to servers that ask for any, so nobody gets it before it is
 * used.
 */
const first = 15_000
const count = 15_000

/** A loopback port on which nothing listens now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    probe.listen(port, '127.0.0.1')
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
