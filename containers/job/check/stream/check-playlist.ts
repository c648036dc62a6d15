import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { say } from '../check-tables.ts'

type Listed = {
  /** The file that is listed. */
  readonly name: string
  readonly list: string
  /** How many seconds its segments have to last together. */
  readonly due: number
}

/** A sound is a packet longer than its pictures at most. */
const mostOff = 0.12

/** What is wrong with a playlist: players show what it says, whatever lies in the file. */
export async function faultOfPlaylist(
  folder: string,
  { name, list, due }: Listed,
): Promise<string | undefined> {
  const text = await readFile(path.join(folder, list), 'utf8')
  const { size } = await stat(path.join(folder, name))
  const numbers = (pattern: RegExp): number[][] =>
    [...text.matchAll(pattern)].map((found) => found.slice(1).map(Number))
  const seconds = numbers(/^#EXTINF:([\d.]+)/gm).flat()
  const ranges = numbers(/^#EXT-X-BYTERANGE:(\d+)@(\d+)/gm)
  const [[headBytes = 0] = []] = numbers(/^#EXT-X-MAP:.*BYTERANGE="(\d+)@0"/gm)
  if (!text.includes('#EXT-X-ENDLIST') || seconds.length !== ranges.length) {
    return 'One of its playlists is not whole.'
  }
  const all = seconds.reduce((sum, one) => sum + one, 0)
  if (Math.abs(all - due) > mostOff) {
    return `One of its playlists lasts ${say(all)} s; ${say(due)} s were planned.`
  }
  let end = headBytes
  for (const [bytes = 0, from = 0] of ranges) {
    if (from !== end) return `One of its playlists leaves out bytes ${end} to ${from} of its film.`
    end = from + bytes
  }
  return end > size ? 'One of its playlists names bytes that its film does not have.' : undefined
}
