import { z } from 'zod'
import { worded } from '../answers/wording.ts'
import { limits } from '../limits.ts'

/** The last row of a page; the next page begins after it. */
export type PageEnd = { createdAt: number; id: string }

const pageRange = `Must be a whole number from 1 to ${limits.listPageSize}`

/** `limit` of a list. */
export const pageSize = worded(
  z.string().regex(/^\d{1,4}$/),
  `a whole number from 1 to ${limits.listPageSize}`,
)
  // A query is text, but the API reference shows this parameter as a number.
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: limits.listPageSize,
    description: `Maximum number of entries on a page; ${limits.listPageSizeDefault} when absent`,
  })
  .transform(Number)
  .refine((n) => n >= 1 && n <= limits.listPageSize, pageRange)

/** What a request may say of the page that it wants, by the pattern of the ids in the list. */
export function pageAsked(idPattern: string) {
  return { limit: pageSize.optional(), cursor: cursorText(idPattern).optional() }
}

export const nextCursor = z
  .string()
  .nullable()
  .describe('Pass it as cursor to read the next page; null on the last page')

/** The cursor of a list whose ids have this pattern; the cursor of another list is refused. */
export function cursorText(idPattern: string) {
  const pattern = new RegExp(`^(\\d{1,15})\\.(${idPattern})$`)
  return worded(z.string(), 'the nextCursor of an earlier page')
    .describe('The nextCursor of the page before')
    .transform((text, context): PageEnd => {
      const position = readCursor(text, pattern)
      if (position) return position
      context.addIssue({ code: 'custom', message: 'Must be the nextCursor of an earlier page' })
      return z.NEVER
    })
}

export function writeCursor(end: PageEnd): string {
  return btoa(`${end.createdAt}.${end.id}`).replaceAll('+', '-').replaceAll('/', '_')
}

/** The page of rows of which one more than `limit` were read, to know whether there is a next page. */
export function takePage<Row>(rows: readonly Row[], limit: number, endOf: (row: Row) => PageEnd) {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, nextCursor: last ? writeCursor(endOf(last)) : null }
}

function readCursor(text: string, pattern: RegExp): PageEnd | undefined {
  try {
    const match = pattern.exec(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
    return match?.[1] && match[2] ? { createdAt: Number(match[1]), id: match[2] } : undefined
  } catch {
    return undefined
  }
}
