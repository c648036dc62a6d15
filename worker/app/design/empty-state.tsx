import type { Child } from 'hono/jsx'
import { ButtonLink } from './button.tsx'

type EmptyStateProps = {
  title: string
  /** A sentence or two about what will appear here. */
  children: Child
  action?: { label: string; href: string }
  /** Other things that can be done from here. */
  more?: Child
}

/** Stands in for a list that is still empty: what will appear here, and one button. */
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
