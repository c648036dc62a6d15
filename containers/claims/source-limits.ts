import { JobError } from '../errors/job-error.ts'

/**
 * How much of anything a customer's file may hold, beside bytes, seconds and pixels, which are settings. Each is far
 * above what cameras and editors write, and low enough that reading to the limit takes seconds and little memory.
 * Published in docs/limits.md.
 */
export const sourceLimits = {
  /** Of one stream: four hours at 120 pictures a second are 1,728,000. */
  packets: 2_000_000,
  /** That the indexes of all streams list together; ffmpeg keeps some 40 bytes of each. */
  indexedPackets: 4_000_000,
  streams: 100,
  /** Parts of edit lists. */
  edits: 10_000,
  /** Of an AVI: each may name others. */
  indexes: 10_000,
  chapters: 10_000,
  /** ffmpeg looks each up among all others. */
  tags: 10_000,
  /** Boxes, elements or chunks of the file beside its media. */
  headerParts: 1_000_000,
  /** Packets may hold this many times the bytes of the file: a little more than once is honest, over and over is not. */
  repeatedBytes: 2,
  /** Characters in which the first look describes a file. */
  descriptionChars: 2_000_000,
  gifPictures: 20_000,
  /** Of all pictures of a GIF, in frames of `MAX_PIXELS`. */
  gifFrames: 250,
  /** The largest honest pictures take a second or two. */
  firstPictureSeconds: 20,
  /** And a few hundred megabytes. */
  stillMemoryBytes: 1024 ** 3,
} as const

/** A file that the customer sent, and what it is held to while it is read. */
export type HeldFile = {
  /** The request field to be named when something is wrong with it. */
  readonly field: string
  readonly sizeBytes: number
  readonly maxSeconds: number
  /** `packets` when absent. */
  readonly maxPackets?: number
}

export function beyondLimit(
  { field }: Pick<HeldFile, 'field'>,
  what: string,
  most: number,
  found?: number,
): JobError {
  const has = found === undefined ? `more than ${whole(most)}` : whole(found)
  return new JobError(
    'source_too_large',
    `${field}: the file has ${has} ${what}; at most ${whole(most)} are allowed.`,
  )
}

export function tooLong(
  { field, maxSeconds }: Pick<HeldFile, 'field' | 'maxSeconds'>,
  seconds: number,
): JobError {
  // Not rounded down to what is allowed.
  const found = Math.max(Math.round(seconds), Math.floor(maxSeconds) + 1)
  return new JobError(
    'source_too_large',
    `${field}: the video is ${found} seconds long; at most ${maxSeconds} are allowed.`,
  )
}

export function repeatsItself({ field, sizeBytes }: HeldFile): JobError {
  return new JobError(
    'source_too_large',
    `${field}: the file shows the same bytes over and over: its index lists more than ${sourceLimits.repeatedBytes} times the ${whole(sizeBytes)} bytes that it has.`,
  )
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
