import type { ControlProps } from '../../design/field.tsx'
import type { Control } from './control.ts'
import { asText, writePhrases, writeTerms } from '../request/build-request.ts'
import { valueKind } from '../request/read-video-form.ts'

type ControlOf<Kind extends Control['kind']> = Extract<Control, { kind: Kind }>
type EntryProps<Kind extends Control['kind']> = {
  control: ControlOf<Kind>
  value: unknown
  props: ControlProps
}

/** A field for typing a number or a text. */
export function EntryView(
  entry: EntryProps<'number' | 'time' | 'text' | 'mixed' | 'phrases' | 'terms' | 'json'>,
) {
  const { control, value } = entry
  const props = { ...entry.props, 'data-reads': valueKind(control), autocomplete: 'off' }
  switch (control.kind) {
    case 'json':
      return (
        <textarea
          class="input mono"
          rows={3}
          spellcheck={false}
          placeholder={control.example}
          {...props}
        >
          {asText(value)}
        </textarea>
      )
    case 'phrases':
      return (
        <textarea class="input" rows={2} placeholder={control.example} {...props}>
          {writePhrases(value) ?? asText(value)}
        </textarea>
      )
    case 'terms':
      return (
        <textarea class="input" rows={3} placeholder={control.example} {...props}>
          {writeTerms(value) ?? asText(value)}
        </textarea>
      )
    case 'number':
      return <NumberView {...{ control, value, props }} />
    case 'time':
      return (
        <span class="measured">
          <input class="input" value={asText(value)} placeholder={control.example} {...props} />
          <span class="unit">s</span>
        </span>
      )
    case 'mixed':
      return <input class="input" value={asText(value)} placeholder={control.example} {...props} />
    case 'text':
      return <TextView {...{ control, value, props }} />
  }
}

function NumberView({ control, value, props }: EntryProps<'number'>) {
  const { min, max, whole, unit, usual } = control
  const range = { min, max, step: whole ? '1' : 'any' }
  return (
    <span class="measured">
      <input
        class="input"
        type="number"
        {...range}
        value={asText(value)}
        placeholder={usual}
        {...props}
      />
      {unit !== '' && <span class="unit">{unit}</span>}
    </span>
  )
}

function TextView({ control, value, props }: EntryProps<'text'>) {
  const { looks, longest, example } = control
  if (looks === 'lines') {
    return (
      <textarea class="input" rows={2} maxlength={longest} placeholder={example} {...props}>
        {asText(value)}
      </textarea>
    )
  }
  return (
    <input
      class={looks === 'colour' ? 'input colour' : 'input'}
      type={typeOf(control)}
      maxlength={longest}
      value={asText(value)}
      placeholder={example}
      {...props}
    />
  )
}

function typeOf({ looks, initial }: ControlOf<'text'>): string {
  // A colour field cannot be empty, so it fits only where there is a default.
  if (looks === 'colour' && initial !== undefined) return 'color'
  return looks === 'address' ? 'url' : 'text'
}
