import { limits } from '../../../contract/limits.ts'
import { writeCursor, type PageEnd, cursorText } from '../../../contract/video/page-cursor.ts'
import { videoId } from '../../../contract/ids.ts'
import { type VideoStatus, videoStatuses } from '../../../contract/video/video-state.ts'
import { allWithProgress } from '../../../durable/job/ask-progress.ts'
import { placesInLine } from '../../../durable/job/queue-place.ts'
import type { LinkMaker } from '../../../service/videos/describe-video.ts'
import { searchNames } from '../../../service/videos/search-videos.ts'
import type { Env } from '../../../settings.ts'
import {
  countVideos,
  findVideoCards,
  listVideoCards,
  listVideoNames,
  type VideoCard,
} from '../../../store/videos/video-cards.ts'
import { findArchivedCards, listArchivedCards } from './archived-cards.ts'
import type { ShownVideo } from '../../../store/tables/tables.ts'
import { describeCard, type ListedVideo } from './listed-video.ts'
import { z } from 'zod'

/** Above this, a count says "999+". */
export const mostCounted = 1000

export type VideoList = {
  videos: ListedVideo[]
  counts: Record<VideoStatus, number>
  nextCursor: string | undefined
  /** How many names the search has compared; absent without a search. */
  looked: number | undefined
}

type Cards = { cards: VideoCard[]; end: PageEnd | undefined; looked?: number }

/** What the list shows for a query. */
export async function readVideoList(
  env: Env,
  accountId: string,
  query: ListQuery,
  linkTo: LinkMaker,
): Promise<VideoList> {
  const d1 = env.DB
  const { cards, end, looked } = await readCards(env, accountId, query)
  const current = await allWithProgress(env, cards, async ({ id }) => {
    return (await findVideoCards(d1, accountId, [id]))[0]
  })
  const places = await placesInLine(env, current)
  const leftOf = ({ left, jobId }: Pick<VideoCard, 'jobId'> & Pick<ShownVideo, 'left'>) =>
    left ?? places.get(jobId)?.left
  const shown = current.map(async (card) => describeCard({ ...card, left: leftOf(card) }, linkTo))
  return {
    videos: await Promise.all(shown),
    counts: await countVideos(d1, accountId, mostCounted),
    nextCursor: end && writeCursor(end),
    looked,
  }
}

async function readCards(env: Env, accountId: string, query: ListQuery): Promise<Cards> {
  const { DB, BUCKET } = env
  if (query.archived) return readArchivePage(BUCKET, accountId, query)
  if (videoId.safeParse(query.q).success) {
    const cards = await findVideoCards(DB, accountId, [query.q])
    const kept = cards.length > 0 ? cards : await findArchivedCards(BUCKET, accountId, [query.q])
    return { cards: kept, end: undefined }
  }
  return query.q === '' ? readPage(DB, accountId, query) : readMatches(DB, accountId, query)
}

async function readArchivePage(
  bucket: R2Bucket,
  accountId: string,
  { cursor: after }: ListQuery,
): Promise<Cards> {
  const limit = limits.listPageSizeDefault + 1
  return pageOf(await listArchivedCards(bucket, accountId, { after, limit }))
}

async function readPage(
  d1: D1Database,
  accountId: string,
  { status, cursor: after }: ListQuery,
): Promise<Cards> {
  const limit = limits.listPageSizeDefault
  return pageOf(await listVideoCards(d1, accountId, { status, after, limit: limit + 1 }))
}

/** The rows of one page: one row more than fits means that another page follows. */
function pageOf(rows: VideoCard[]): Cards {
  const cards = rows.slice(0, limits.listPageSizeDefault)
  const last = rows.length > cards.length ? cards.at(-1) : undefined
  return { cards, end: last && { id: last.id, createdAt: last.createdAt } }
}

async function readMatches(
  d1: D1Database,
  accountId: string,
  { q, status, cursor }: ListQuery,
): Promise<Cards> {
  const { ids, end, looked } = await searchNames({
    text: q,
    after: cursor,
    limit: limits.listPageSizeDefault,
    read: async (after, limit) => listVideoNames(d1, accountId, { status, after, limit }),
  })
  const cards = ids.length > 0 ? await findVideoCards(d1, accountId, ids) : []
  return { cards, end, looked }
}

/** The query of the list. A mistyped address shows the whole list. */
export const shownListQuery = z.object({
  q: z
    .string()
    .transform((text) => text.trim().slice(0, 255))
    .default(''),
  status: z.enum(videoStatuses).optional().catch(undefined),
  /** Only archived videos, which can be listed by time alone. */
  archived: z.literal('true').optional().catch(undefined),
  cursor: cursorText('v_[0-9A-Za-z]{8}').optional().catch(undefined),
})
export type ListQuery = z.infer<typeof shownListQuery>

/** The address of the list; an absent field leaves its filter out, and the page is the first one. */
export function listAddress({
  q,
  status,
  archived,
  cursor,
}: Partial<Pick<ListQuery, 'q' | 'status' | 'archived'>> & {
  cursor?: string | undefined
}): string {
  const query = new URLSearchParams()
  if (q) query.set('q', q)
  if (status) query.set('status', status)
  if (archived) query.set('archived', archived)
  if (cursor) query.set('cursor', cursor)
  return `/app/videos${query.size > 0 ? `?${query.toString()}` : ''}`
}
