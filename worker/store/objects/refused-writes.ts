import { isolateMemory } from '../../contract/isolate-memory.ts'

const rememberedMs = 120_000
const lastRefused = isolateMemory<number | undefined>(() => undefined)

/** Writes to the bucket something that is whole here, so that a failure is the bucket's own. */
export async function writeToBucket<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    const value = await write()
    lastRefused.current = undefined
    return value
  } catch (error) {
    lastRefused.current = Date.now()
    throw error
  }
}

/** A bucket that can be read may still refuse what is written to it, as a disk that is mounted read-only does. */
export function refusesWrites(now: number): boolean {
  const { current } = lastRefused
  return current !== undefined && now - current < rememberedMs
}
