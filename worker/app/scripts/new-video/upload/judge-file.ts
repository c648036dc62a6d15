import {
  headBytes,
  knownVideos,
  looksLikeVideo,
} from '../../../../../client/src/upload/looks-like-video.ts'
import { formatBytes } from '../../../design/formats.ts'

/** Why a file cannot be sent, found before any of it is sent; undefined if it can. */
export async function judgeFile(file: File, mostBytes: number): Promise<string | undefined> {
  const head = await readHead(file)
  if (head === undefined) return unreadable(file)
  if (file.size === 0) return `“${file.name}” is empty.`
  if (file.size > mostBytes) {
    const [size, most] = [formatBytes(file.size), formatBytes(wholeGigabytes(mostBytes))]
    return `“${file.name}” is too large: it has ${size}, and a file may have at most ${most}.`
  }
  return looksLikeVideo(head) ? undefined : notAVideo(file)
}

/** The limit as the guides write it: 2 GiB are “2 GB” there. */
const wholeGigabytes = (bytes: number) => Math.floor(bytes / 1e9) * 1e9 || bytes

/** Undefined for a folder, and for a file that has been moved, deleted or changed since it was chosen. */
export async function readHead(file: Blob): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  } catch {
    // The browser gives the same error for all of these; the caller has a sentence that fits each.
    return undefined
  }
}

export function unreadable({ name }: File): string {
  return `“${name}” cannot be read. It may be a folder, or it was moved or changed. Choose the file again.`
}

export function notAVideo({ name }: File): string {
  return `“${name}” is not a video that can be used here. Choose one of these: ${knownVideos}.`
}
