import { z } from 'zod'
import { cursorText } from '../../../contract/video/page-cursor.ts'
import { videoStatuses } from '../../../contract/video/video-state.ts'

/** What the list shows. An address that somebody has mistyped shows the whole list. */
export const listQuery = z.object({
  q: z
    .string()
    .transform((text) => text.trim().slice(0, 255))
    .default(''),
  status: z.enum(videoStatuses).optional().catch(undefined),
  /** The archived videos, and no others; they are listed by time only. */
  archived: z.literal('true').optional().catch(undefined),
  cursor: cursorText('v_[0-9A-Za-z]{8}').optional().catch(undefined),
})
export type ListQuery = z.infer<typeof listQuery>

/** The address of the list; what is not said falls away, and the page is the first. */
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
