import type { Child } from 'hono/jsx'
import { FieldFrame } from '../design/field.tsx'
import { ChoiceView } from './choice-view.tsx'
import type { Field } from './control.ts'
import { EntryView } from './entry-view.tsx'
import { valueAt } from './path-steps.ts'
import { faultAt, type Filled } from './filled.ts'
import { ListView } from './list-view.tsx'

export type FieldPlace = {
  field: Field
  /** The path of what the field is in, with its separator: empty, or `elements[2].position.`. */
  within?: string
  filled: Filled
  /** Whether it is a blank one for browsers without scripts, in which nothing can be added. */
  plain?: boolean
}

/** One field of the request: its label, the control that its schema asks for, what it means, and what is wrong with it. */
export function FieldView({ field, within = '', filled, plain = false }: FieldPlace): Child {
  const path = within + field.name
  const { control } = field
  switch (control.kind) {
    case 'fixed':
      return (
        <input
          type="hidden"
          name={path}
          value={String(control.value)}
          data-reads="text"
          data-fixed
        />
      )
    case 'group':
      return <GroupView {...{ field, path, filled, plain }} fields={control.fields} />
    case 'list':
      return <ListView {...{ field, path, filled, plain }} list={control} />
    case 'flag':
      return <FlagView {...{ field, path, filled }} initial={control.initial} />
    case 'choice':
      return <ChoiceView {...{ field, path, filled }} choice={control} />
    case 'number':
    case 'text':
    case 'mixed':
    case 'json':
      return (
        <FieldFrame
          label={field.label}
          name={path}
          hint={field.hint}
          error={faultAt(filled, path)}
          control={(props) => (
            <EntryView control={control} value={valueAt(filled.request, path)} {...{ props }} />
          )}
        />
      )
  }
}

type Placed = { field: Field; path: string; filled: Filled }

function FlagView({ field, path, filled, initial }: Placed & { initial: boolean }) {
  const id = `field-${path}`
  const fault = faultAt(filled, path)
  return (
    <div class="field check">
      {/* A browser sends nothing for a box that is not ticked. */}
      {initial && <input type="hidden" name={path} value="false" />}
      <input
        type="checkbox"
        id={id}
        name={path}
        value="true"
        checked={valueAt(filled.request, path) === true}
        data-reads="flag"
        aria-describedby={field.hint === undefined ? undefined : `${id}-hint`}
        aria-invalid={fault === undefined ? undefined : 'true'}
      />
      <label for={id}>{field.label}</label>
      {fault !== undefined && (
        <p class="fault" id={`${id}-error`}>
          {fault}
        </p>
      )}
      {field.hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      )}
    </div>
  )
}

/** Folded until something in it is given: most requests need none of it. */
function GroupView({
  field,
  path,
  filled,
  plain,
  fields,
}: Placed & { plain: boolean; fields: readonly Field[] }) {
  const isGiven = valueAt(filled.request, path) !== undefined
  const isFaulty = filled.faults.some((fault) => fault.field.startsWith(path))
  const fault = faultAt(filled, path)
  return (
    <details class="group" id={`field-${path}`} open={isGiven || isFaulty}>
      <summary>{field.label}</summary>
      {fault !== undefined && <p class="fault">{fault}</p>}
      {field.hint !== undefined && <p class="hint">{field.hint}</p>}
      <div class="fields" role="group" aria-label={field.label}>
        {fields.map((inner) => (
          <FieldView field={inner} within={`${path}.`} {...{ filled, plain }} />
        ))}
      </div>
    </details>
  )
}
