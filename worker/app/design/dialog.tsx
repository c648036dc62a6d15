import type { Child } from 'hono/jsx'

/**
 * Asks before something that cannot be undone. A button with `dialog` opens it. Without scripts it never opens: that
 * button then sends its form, and the page that answers asks.
 */
export function Dialog({ id, title, children }: { id: string; title: string; children: Child }) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </dialog>
  )
}
