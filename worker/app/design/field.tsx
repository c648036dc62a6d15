import type { Child } from 'hono/jsx'
import type { FieldFault } from '../../contract/answers/errors.ts'

/** The message for a field, or for anything inside it. */
export function faultOf(faults: readonly FieldFault[], name: string): string | undefined {
  return faults.find(({ field }) => field.split('[')[0] === name)?.message
}

type FieldText = {
  label: string
  name: string
  /** Needed where a page has two fields of this name. */
  id?: string
  hint?: Child
  /** What is wrong with what was entered, and what to enter instead. */
  error?: string | undefined
}

/** The attributes that tie a control to its label, its hint and its error. */
export type ControlProps = {
  id: string
  name: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

/** A label, the control that `control` makes, a hint, and an error if there is one. */
export function FieldFrame({
  label,
  name,
  id = `field-${name}`,
  hint,
  error,
  control,
}: FieldText & { control: (props: ControlProps) => Child }) {
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
  const described = [error && errorId, hint !== undefined && hintId].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({
        id,
        name,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error ? 'true' : undefined,
      })}
      <FaultAndHint id={id} fault={error} hint={hint} />
    </div>
  )
}

/** What is wrong with a control and what explains it, under ids that follow from its own. */
export function FaultAndHint({
  id,
  fault,
  hint,
}: {
  id: string
  fault: string | undefined
  hint: Child | undefined
}) {
  return (
    <>
      {fault && (
        <p class="fault" id={`${id}-error`}>
          {fault}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  )
}

export type FieldProps = FieldText & {
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'number' | 'date'
  value?: string | undefined
  required?: boolean
  placeholder?: string
  autocomplete?: string
  autofocus?: boolean
  maxlength?: number
  minlength?: number
  spellcheck?: boolean
  readonly?: boolean
  /** How a script reads what is entered. */
  reads?: 'text'
}

/** One line of text. */
export function Field({
  label,
  name,
  id,
  hint,
  error,
  type = 'text',
  reads,
  ...input
}: FieldProps) {
  return (
    <FieldFrame
      {...{ label, name, hint, error, ...(id === undefined ? {} : { id }) }}
      control={(props) => (
        <input class="input" type={type} data-reads={reads} {...props} {...input} />
      )}
    />
  )
}
