import type { Child } from 'hono/jsx'
import { ButtonLink } from './button.tsx'

type PaginationProps = {
  /** How many are shown, such as "25 videos". */
  children: Child
  /** Leads back to the first page; absent on it. */
  first?: string | undefined
  /** Absent on the last page. */
  next?: string | undefined
}

/** Pages go by cursor, so there is a first and a next one, and no number of pages. */
export function Pagination({ children, first, next }: PaginationProps) {
  return (
    <nav class="pages" aria-label="Pages">
      <span>{children}</span>
      <span class="row">
        {first !== undefined && (
          <ButtonLink size="small" href={first}>
            Newest
          </ButtonLink>
        )}
        {next !== undefined && (
          <ButtonLink size="small" href={next}>
            Older
          </ButtonLink>
        )}
      </span>
    </nav>
  )
}
