import { open, type FileHandle } from 'node:fs/promises'

const bytesPerSample = Float32Array.BYTES_PER_ELEMENT

/**
 * Mono samples at 16 kHz, read when they are needed: hours of sound take no more memory than one window. Before its first and
 * behind its last sample a sound is silent.
 */
export type SampledSound = {
  readonly length: number
  readonly read: (from: number, to: number) => Promise<Float32Array>
}

/** A sound that may still be growing. */
export type SoundFile = Pick<SampledSound, 'read'> & { readonly lengthNow: () => Promise<number> }

export async function withSoundFile<T>(
  path: string,
  use: (sound: SampledSound) => Promise<T>,
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
      await readInto(handle, samples, from)
      return samples
    },
  })
}

/** Fills these samples with those of a file, from one of them on. */
export async function readInto(file: FileHandle, samples: Float32Array, at: number): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  for (let filled = 0; filled < bytes.length;) {
    const position = at * bytesPerSample + filled
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, position)
    if (bytesRead === 0) throw new Error('The sound ended before its length')
    filled += bytesRead
  }
}
