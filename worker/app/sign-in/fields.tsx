import { Field, type FieldProps } from '../design/field.tsx'
import { passwordLengths } from '../../contract/people/people.ts'
import { home } from '../session/safe-next.ts'
import type { FormFaults, EnteredFields } from '../session/read-form.ts'

/** The address that a password belongs to, marked for password managers too. */
export function EmailField(shown: {
  value: string | undefined
  error: string | undefined
  hint?: string
  autofocus?: boolean
  readonly?: boolean
}) {
  return (
    <Field label="Email" name="email" type="email" autocomplete="username" required {...shown} />
  )
}

/** A field for the password that the person has. */
export function PresentPasswordField(shown: Pick<FieldProps, 'label' | 'name' | 'id' | 'error'>) {
  return <Field type="password" autocomplete="current-password" required {...shown} />
}

/** A field for a new password; password managers offer one. */
export function NewPasswordField({
  label = 'Password',
  error,
  hint = '',
}: {
  label?: string
  error: string | undefined
  /** Further advice below the field. */
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

/** Carries the address that the person wanted to open through the form. */
export function HiddenNext({ next }: { next: string }) {
  return next === home ? null : <input type="hidden" name="next" value={next} />
}

export function withNext(path: string, next: string): string {
  return next === home ? path : `${path}?next=${encodeURIComponent(next)}`
}

type SignUpFieldsShown = {
  fields: EnteredFields
  faults: FormFaults
  /** An address that a mail or an invitation names. */
  fixedEmail: string | undefined
}

/** The fields in which a new person introduces themselves. */
export function SignUpFields({ fields, faults, fixedEmail }: SignUpFieldsShown) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        autocomplete="name"
        maxlength={255}
        value={fields['name']}
        error={faults['name']}
        hint="What others in the account see. Can stay empty."
      />
      <EmailField
        value={fixedEmail ?? fields['email']}
        error={faults['email']}
        readonly={fixedEmail !== undefined}
      />
      <NewPasswordField error={faults['password']} />
    </>
  )
}
