import { randomBase62 } from '../../contract/ids.ts'
import { deriveKey, macOf } from '../../contract/keyed-hash.ts'
import type { Settings } from '../../settings.ts'
import { isolateMemory } from '../../contract/isolate-memory.ts'

const keys = isolateMemory(() => new Map<string, Promise<string>>())

/**
 * The id of a video's job. It follows from the id of the video, so that a read of the video can ask the job's object and
 * the database side by side; without the secret it cannot be computed.
 */
export async function jobIdFor({ secret }: Settings, videoId: string): Promise<string> {
  const key = keys.current.get(secret) ?? deriveKey(secret, 'job-ids')
  keys.current.set(secret, key)
  const derived = bytesOf(await macOf(await key, videoId))
  let next = 0
  // 16 letters take 16 bytes, and one more for about one byte in thirty that cannot be used.
  const random = (bytes: Uint8Array<ArrayBuffer>) => bytes.map(() => derived[next++] ?? 0)
  return `j_${randomBase62(16, random)}`
}

function bytesOf(hex: string): number[] {
  return (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))
}
