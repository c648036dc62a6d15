import type { PageEnd } from '../../contract/video/page-cursor.ts'
import { findArchived, listArchivedIds } from '../../store/videos/archive.ts'
import type { ShownVideo } from '../../store/tables/tables.ts'

type Search = {
  /** The words to look for, each of which has to occur, in any order. */
  text: string
  after: PageEnd | undefined
  /** How many results are wanted. */
  limit: number
  /** Reads names, newest first. */
  read: (after: PageEnd | undefined, count: number) => Promise<(PageEnd & { name: string })[]>
}

type FoundVideos = {
  ids: string[]
  /** Where to continue; absent once all names have been read. */
  end: PageEnd | undefined
  /** How many names were read. */
  looked: number
}

/** Names are read in portions of this many. A search stops after a few portions, and can be continued. */
const namesAtOnce = 1000
const mostPortions = 5

/** Finds names; upper and lower case, and letters with and without accents, count as the same. There is no index of names, so the work of one search is limited. */
export async function searchNames({ text, after, limit, read }: Search): Promise<FoundVideos> {
  const words = folded(text).split(/\s+/)
  const found: FoundVideos = { ids: [], end: after, looked: 0 }
  for (let portion = 0; portion < mostPortions; portion++) {
    const names = await read(found.end, namesAtOnce)
    for (const { id, createdAt, name } of names) {
      found.looked++
      found.end = { id, createdAt }
      const candidate = folded(name)
      if (!words.every((word) => candidate.includes(word))) continue
      found.ids.push(id)
      if (found.ids.length === limit) return found
    }
    if (names.length < namesAtOnce) return { ...found, end: undefined }
  }
  return found
}

function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/**
 * The next archived videos of the account, newest first, strictly after `after`. Passes over names whose record was deleted
 * while the archive was being written.
 */
export async function listArchived(
  bucket: R2Bucket,
  accountId: string,
  { after, limit: count }: { after?: PageEnd | undefined; limit: number },
): Promise<ShownVideo[]> {
  const videos: ShownVideo[] = []
  for (let last = after; ;) {
    const limit = count - videos.length
    const names = await listArchivedIds(bucket, accountId, { after: last, limit })
    const found = await Promise.all(
      names.map(async ({ id }) => findArchived(bucket, accountId, id)),
    )
    videos.push(...found.flatMap((one) => (one ? [one.video] : [])))
    if (videos.length === count || names.length < limit) return videos
    last = names.at(-1)
  }
}
