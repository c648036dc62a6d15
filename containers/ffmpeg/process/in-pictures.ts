/** Assembles the chunks of a pipe into whole pictures of this many bytes. */
export function inPictures(size: number, take: (pixels: Uint8Array) => Promise<void>) {
  let picture = new Uint8Array(size)
  let filled = 0
  return async (bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + size - filled)
      picture.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < size) continue
      await take(picture)
      picture = new Uint8Array(size)
      filled = 0
    }
  }
}
