import type { Child } from 'hono/jsx'
import { ButtonLink } from './button.tsx'

type EmptyStateProps = {
  title: string
  /** What will be here, in a sentence or two. */
  children: Child
  action?: { label: string; href: string }
  /** What else can be done. */
  more?: Child
}

/** What a page says that has nothing to show yet: what will be here, and one button. */
export function EmptyState({ title, children, action, more }: EmptyStateProps) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action && (
        <p>
          <ButtonLink look="primary" href={action.href}>
            {action.label}
          </ButtonLink>
        </p>
      )}
      {more}
    </section>
  )
}
