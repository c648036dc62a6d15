import { z } from 'zod'
import { worded } from '../answers/wording.ts'

/** The last row of a page; the next page begins after it. */
export type PageEnd = { createdAt: number; id: string }

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

function readCursor(text: string, pattern: RegExp): PageEnd | undefined {
  try {
    const match = pattern.exec(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
    return match?.[1] && match[2] ? { createdAt: Number(match[1]), id: match[2] } : undefined
  } catch {
    return undefined
  }
}
