import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** A name for what is found in a sound: by its samples, and by what else decides what is found. */
export async function nameBySound(soundPath: string, known: object): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(known))
  await pipeline(createReadStream(soundPath), hash)
  return hash.digest('hex')
}
