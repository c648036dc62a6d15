import { randomBase62 } from '../../contract/ids.ts'
import { deriveKey, fromHex, macOf } from '../../contract/keyed-hash.ts'
import type { Settings } from '../../settings.ts'

/**
 * The id of a video's job. It follows from the id of the video, so that a read of the video can ask the job's object and
 * the database side by side; without the secret it cannot be computed.
 */
export async function jobIdFor({ secret }: Settings, videoId: string): Promise<string> {
  const derived = fromHex(await macOf(await deriveKey(secret, 'job-ids'), videoId))
  let next = 0
  // 16 letters take 16 bytes, and one more for about one byte in thirty that cannot be used.
  const random = (bytes: Uint8Array<ArrayBuffer>) => bytes.map(() => derived[next++] ?? 0)
  return `j_${randomBase62(16, random)}`
}
