import { readFile } from 'node:fs/promises'
import { makeVideo } from './fixtures.ts'

/** A clip followed by a box that every player skips: 17 MiB, so that it needs several parts. */
export async function aLargeClip(): Promise<Uint8Array<ArrayBuffer>> {
  const clip = await readFile(await makeVideo({ seconds: 2 }))
  const filling = 17 * 1024 * 1024
  const bytes = new Uint8Array(clip.length + filling)
  bytes.set(clip)
  const box = new DataView(bytes.buffer, clip.length)
  box.setUint32(0, filling)
  bytes.set(new TextEncoder().encode('free'), clip.length + 4)
  return bytes
}
