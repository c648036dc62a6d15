import { passwordLengths } from '../../contract/people/people.ts'
import { Field } from '../design/field.tsx'

/** Where a password is chosen; password managers offer one. */
export function NewPasswordField({
  label = 'Password',
  error,
  hint = '',
}: {
  label?: string
  error: string | undefined
  /** What else there is to know. */
  hint?: string
}) {
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autocomplete="new-password"
      required
      minlength={passwordLengths.least}
      maxlength={passwordLengths.most}
      error={error}
      hint={`At least ${passwordLengths.least} characters. ${hint}`.trim()}
    />
  )
}
