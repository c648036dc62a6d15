import type { FieldFault } from '../../contract/answers/errors.ts'
import { Field } from '../design/field.tsx'
import type { PresetChoice } from './new-video-view.ts'
import { asText } from './request/build-request.ts'

type ValueFieldsProps = {
  preset: PresetChoice | undefined
  values: unknown
  faults: readonly FieldFault[]
}

/** A field for each `{{name}}` of the chosen preset. For another preset, a script copies the first of them. */
export function ValueFields({ preset, values, faults }: ValueFieldsProps) {
  const given = (values ?? {}) as Readonly<Record<string, unknown>>
  const names = preset?.values.map(({ name }) => name) ?? []
  return (
    <fieldset data-values hidden={names.length === 0}>
      <legend>What the preset asks for</legend>
      <div class="row" data-value-fields>
        {names.map((name) => (
          <Field
            label={name}
            name={`values.${name}`}
            value={asText(given[name])}
            error={faults.find(({ field }) => field === `values.${name}`)?.message}
            reads="text"
          />
        ))}
      </div>
      <template data-value-field>
        <Field label="name" name="values.name" reads="text" />
      </template>
    </fieldset>
  )
}
