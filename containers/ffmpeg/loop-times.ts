import type { GifFacts } from './measure-picture.ts'

/**
 * ffmpeg's own looping guesses the length of the last picture, which in a GIF may be the longest. This expression
 * starts every round after the exact length of a round, and keeps the times of the pictures within it.
 */
export function loopTimes({ frames, seconds }: GifFacts): string {
  const position = `mod(N,${frames})`
  const start = `if(eq(${position},0),st(0,PTS))`
  return `${start}*0+round(floor(N/${frames})*${seconds}/TB)+PTS-ld(0)`
}
