import { JobError } from '../errors/job-error.ts'

/**
 * What a customer's file may hold at most; the limits of bytes, seconds and pixels are settings. Each limit is far
 * above what cameras and editors write, and low enough that reading up to it takes seconds and little memory.
 * docs/limits.md publishes them.
 */
export const sourceLimits = {
  /** In one stream: four hours at 120 pictures a second are 1,728,000. */
  packets: 2_000_000,
  /** In the indexes of all streams together; ffmpeg keeps some 40 bytes for each. */
  indexedPackets: 4_000_000,
  streams: 100,
  /** Parts of all edit lists together. */
  edits: 10_000,
  /** In an AVI, where each index may name others. */
  indexes: 10_000,
  chapters: 10_000,
  /** ffmpeg compares each tag with all others. */
  tags: 10_000,
  /** The tags of a sound, unpacked: ffmpeg keeps all of them in memory. */
  tagBytes: 100_000_000,
  /** Boxes, elements or chunks of the file beside its media. */
  headerParts: 1_000_000,
  /**
   * The packets together may be this many times as large as the file. Honest files are a little above 1; hostile ones
   * list the same bytes over and over.
   */
  repeatedBytes: 2,
  /** Characters that ffprobe may print about a file at the first look. */
  descriptionChars: 2_000_000,
  gifPictures: 20_000,
  /** All pictures of a GIF together, in frames of `MAX_PIXELS`. */
  gifFrames: 250,
  /** Decoding the largest pictures of honest files takes a second or two … */
  firstPictureSeconds: 20,
  /** … and a few hundred megabytes. */
  stillMemoryBytes: 1024 ** 3,
} as const

/** A file that the customer sent, and the limits that apply while it is read. */
export type HeldFile = {
  /** The request field that a message about the file names. */
  readonly field: string
  readonly sizeBytes: number
  readonly maxSeconds: number
  /** `sourceLimits.packets` if absent. */
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
  // Never show a number that is within the limit.
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
