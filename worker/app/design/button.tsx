import type { Child } from 'hono/jsx'

type ButtonLook = 'primary' | 'plain' | 'danger' | 'quiet'

type ButtonProps = {
  children?: Child
  look?: ButtonLook
  size?: 'usual' | 'small'
  /** The field that the form sends when this button is clicked. */
  name?: string
  value?: string
  type?: 'submit' | 'button'
  /** The id of a dialog that opens instead, where scripts run. */
  dialog?: string
  /** The text that a click copies. Only where scripts run. */
  copy?: string
  formaction?: string
  form?: string
  id?: string
  label?: string
  disabled?: boolean
}

const classOf = (look: ButtonLook, size: 'usual' | 'small', more = ''): string =>
  ['button', look === 'plain' ? '' : look, size === 'small' ? 'small' : '', more]
    .filter((name) => name !== '')
    .join(' ')

/** A button that does something, named after it: "Create key", "Cancel 3 videos". */
export function Button({ children, look = 'plain', size = 'usual', ...rest }: ButtonProps) {
  const { type = 'submit', dialog, copy, label, disabled, ...attributes } = rest
  return (
    <button
      class={classOf(look, size, copy === undefined ? '' : 'needs-script')}
      type={copy === undefined ? type : 'button'}
      disabled={disabled}
      aria-label={label}
      data-dialog={dialog}
      data-copy={copy}
      {...attributes}
    >
      {children}
    </button>
  )
}

type LinkProps = { href: string; children?: Child; look?: ButtonLook; size?: 'usual' | 'small' }

/** A link that looks like a button. */
export function ButtonLink({
  href,
  children,
  look = 'plain',
  size = 'usual',
  ...more
}: LinkProps & { download?: boolean }) {
  return (
    <a class={classOf(look, size)} href={href} {...more}>
      {children}
    </a>
  )
}
