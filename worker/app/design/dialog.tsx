import type { Child } from 'hono/jsx'
import { Button } from './button.tsx'

type DialogProps = {
  id: string
  title: string
  children: Child
  /** The button that goes ahead, beside the one that closes the dialog. */
  confirm?: Child
  /** The label of the button that closes the dialog. */
  keep?: string | undefined
}

/**
 * Asks before something that cannot be undone. A button with `dialog` opens it. Without scripts it never opens: that
 * button then sends its form, and the page that answers asks.
 */
export function Dialog({ id, title, children, confirm, keep = 'Keep it' }: DialogProps) {
  return (
    <dialog id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      {confirm && (
        <div class="actions">
          <form method="dialog">
            <Button>{keep}</Button>
          </form>
          {confirm}
        </div>
      )}
    </dialog>
  )
}
