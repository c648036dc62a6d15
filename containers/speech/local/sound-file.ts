import { open } from 'node:fs/promises'

const bytesPerSample = Float32Array.BYTES_PER_ELEMENT

/**
 * Mono samples at 16 kHz, read when they are needed: hours of sound take no more memory than one window. Before its first and
 * behind its last sample a sound is silent.
 */
export type Sound = {
  readonly length: number
  readonly read: (from: number, to: number) => Promise<Float32Array>
}

/** A sound that may still be growing. */
export type SoundFile = Pick<Sound, 'read'> & { readonly lengthNow: () => Promise<number> }

export async function withSoundFile<T>(
  path: string,
  use: (sound: Sound) => Promise<T>,
): Promise<T> {
  return withGrowingFile(path, async ({ read, lengthNow }) => {
    const length = await lengthNow()
    return use({
      length,
      read: async (from, to) => {
        const samples = new Float32Array(to - from)
        const [first, last] = [Math.max(0, from), Math.min(to, length)]
        if (first < last) samples.set(await read(first, last), first - from)
        return samples
      },
    })
  })
}

export async function withGrowingFile<T>(
  path: string,
  use: (sound: SoundFile) => Promise<T>,
): Promise<T> {
  await using handle = await open(path, 'r')
  return await use({
    lengthNow: async () => Math.floor((await handle.stat()).size / bytesPerSample),
    read: async (from, to) => {
      const samples = new Float32Array(Math.max(0, to - from))
      const bytes = new Uint8Array(samples.buffer)
      let filled = 0
      while (filled < bytes.length) {
        const position = from * bytesPerSample + filled
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, position)
        if (bytesRead === 0) throw new Error('The sound ended before its length')
        filled += bytesRead
      }
      return samples
    },
  })
}
