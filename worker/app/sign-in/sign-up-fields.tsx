import { Field } from '../design/field.tsx'
import type { FormFaults, FormFields } from '../session/read-form.ts'
import { EmailField } from './email-field.tsx'
import { NewPasswordField } from './new-password-field.tsx'

type Shown = {
  fields: FormFields
  faults: FormFaults
  /** An address that a mail or an invitation names. */
  fixedEmail: string | undefined
}

/** What a new person says of themselves. */
export function SignUpFields({ fields, faults, fixedEmail }: Shown) {
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
