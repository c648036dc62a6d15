/** Ten minutes take 4.8 MB; at 24 kbit/s, which the encoder would choose, consonants suffer. */
export const speechCoding = ['-c:a', 'libmp3lame', '-b:a', '64k', '-ar', '16000', '-ac', '1']

const bytesPerSecond = 8_000
/** Its head, and the frame in which it ends. */
const bytesBeside = 2_000

/** How many bytes this much speech takes, or a few less. */
export function mp3BytesOf(seconds: number): number {
  return seconds * bytesPerSecond + bytesBeside
}

/** How many seconds of speech fit into this number of bytes. */
export function secondsInMp3(bytes: number): number {
  return Math.max(0, (bytes - bytesBeside) / bytesPerSecond)
}
