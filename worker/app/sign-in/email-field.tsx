import { Field } from '../design/field.tsx'

type Shown = {
  value: string | undefined
  error: string | undefined
  hint?: string
  autofocus?: boolean
  readonly?: boolean
}

/** Whom a password belongs to, for password managers too. */
export function EmailField(shown: Shown) {
  return (
    <Field label="Email" name="email" type="email" autocomplete="username" required {...shown} />
  )
}
