import type { CreateVideo } from '../../contract/options/create-video.ts'
import { limits } from '../../contract/limits.ts'

/** The name that the request gives, or else one made from the source, or else the id. */
export function nameVideo(request: CreateVideo, videoId: string, fileName?: string): string {
  if (request.videoName !== undefined) return request.videoName
  if (fileName !== undefined) return nameFromFile(fileName) ?? videoId
  const [first, ...others] = request.files ?? []
  const source = request.fileUrl ?? first?.url
  const name = source === undefined ? undefined : nameFromUrl(source)
  if (name === undefined) return videoId
  const more = others.length > 0 ? ` + ${others.length} more` : ''
  return shorten(name, limits.videoNameLength - more.length) + more
}

function nameFromUrl(url: string): string | undefined {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  return nameFromFile(decodePercent(last))
}

/** A file name without its extension, and without characters that a video's name must not have. */
function nameFromFile(fileName: string): string | undefined {
  const name = fileName
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .replace(/(?<=.)\.[A-Za-z0-9]{1,5}$/, '')
    .trim()
  return name === '' ? undefined : shorten(name, limits.videoNameLength)
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Percent signs that encode nothing are part of the name.
    return text
  }
}

/** Cuts between characters, never inside a surrogate pair. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}
