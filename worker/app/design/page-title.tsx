import type { Child } from 'hono/jsx'

export type Heading = {
  /** The page one level up. */
  back?: { label: string; href: string }
  /** A line of facts under the heading. */
  below?: Child
  actions?: Child
}

/** The heading of a page, and beside it what can be done on it. */
export function PageTitle({ children, back, below, actions }: Heading & { children: Child }) {
  return (
    <div class="head">
      <div class="title">
        {back && (
          <a class="back" href={back.href}>
            ← {back.label}
          </a>
        )}
        <h1 dir="auto">{children}</h1>
        {below}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  )
}
