import type { Child } from 'hono/jsx'
import { ButtonLink } from './button.tsx'
import { CodeBlock } from './code-block.tsx'

type EmptyStateProps = {
  title: string
  /** What will be here, in a sentence or two. */
  children: Child
  action?: { label: string; href: string }
  /** The same by the API. */
  curl?: string
}

/** What a page says that has nothing to show yet: what will be here, one button, one command. */
export function EmptyState({ title, children, action, curl }: EmptyStateProps) {
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
      {curl !== undefined && (
        <>
          <p class="or">Or from a terminal:</p>
          <CodeBlock label="curl" code={curl} shell />
        </>
      )}
    </section>
  )
}
