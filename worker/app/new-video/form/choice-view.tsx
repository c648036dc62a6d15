import { FaultAndHint, FieldFrame } from '../../design/field.tsx'
import { type Control, type Field, type Scalar, faultAt, type Filled } from './control.ts'
import { valueAt } from '../request/build-request.ts'
import { valueKind } from '../request/read-video-form.ts'

type ChoiceControl = Extract<Control, { kind: 'choice' }>
type ChoiceProps = { field: Field; path: string; filled: Filled; choice: ChoiceControl }

/** More choices than this are easier to read in a list that folds out. */
const mostRadios = 8

/** One of a few values: radio buttons if one is always chosen, otherwise a list that begins with nothing chosen. */
export function ChoiceView(props: ChoiceProps) {
  const { initial, usual = initial, values } = props.choice
  const isShort = usual !== undefined && values.length <= mostRadios
  return isShort ? <Radios {...props} /> : <Select {...props} />
}

function chosenIn({ path, filled, choice }: ChoiceProps): Scalar | undefined {
  if (choice.byHand && isPlace(valueAt(filled.request, path))) return undefined
  const value = valueAt(filled.request, path) ?? choice.initial ?? choice.usual
  return choice.values.find((known) => known === value)
}

function Radios(props: ChoiceProps) {
  const { field, path, filled, choice } = props
  const [id, chosen, fault] = [`field-${path}`, chosenIn(props), faultAt(filled, path)]
  return (
    <fieldset
      class="field choice"
      id={id}
      aria-describedby={field.hint === undefined ? undefined : `${id}-hint`}
    >
      <legend>{field.label}</legend>
      <div class="chips">
        {choice.values.map((value) => (
          <label class="chip">
            <input
              type="radio"
              name={path}
              value={value === choice.usual ? '' : String(value)}
              checked={value === chosen}
              data-reads={valueKind(choice)}
              data-usual={value === choice.usual ? String(value) : undefined}
            />
            <Shape value={String(value)} />
            {wordsFor(value, choice)}
          </label>
        ))}
        {choice.byHand && <ByHand path={path} value={valueAt(filled.request, path)} />}
      </div>
      <FaultAndHint {...{ id, fault }} hint={field.hint} />
    </fieldset>
  )
}

const isPlace = (value: unknown) => typeof value === 'object' && value !== null

/** A position dragged in the preview, which tells the script of the page where it is. */
function ByHand({ path, value }: { path: string; value: unknown }) {
  const isChosen = isPlace(value)
  return (
    <label class={isChosen ? 'chip' : 'chip needs-script'}>
      <input
        type="radio"
        name={path}
        value={JSON.stringify(isChosen ? value : { y: '50%' })}
        checked={isChosen}
        data-reads="json"
        data-by-hand
      />
      By hand
    </label>
  )
}

function Select(props: ChoiceProps) {
  const { field, path, filled, choice } = props
  const chosen = chosenIn(props)
  return (
    <FieldFrame
      label={field.label}
      name={path}
      hint={field.hint}
      error={faultAt(filled, path)}
      control={(attributes) => (
        <select class="input" data-reads={valueKind(choice)} {...attributes}>
          {choice.initial === undefined && <option value="">{choice.unset ?? 'Not chosen'}</option>}
          {choice.values.map((value) => (
            <option value={String(value)} selected={value === chosen}>
              {wordsFor(value, choice)}
            </option>
          ))}
        </select>
      )}
    />
  )
}

function wordsFor(value: Scalar, { unit, names }: ChoiceControl): string {
  const name = names?.[String(value)]
  if (name !== undefined) return name
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return `${value}${unit === '°' ? unit : unit && ` ${unit}`}`
  return value
}

const mostSide = 16

/** Draws a proportion such as 9:16. */
function Shape({ value }: { value: string }) {
  const [, across, down] = /^(\d{1,3}):(\d{1,3})$/.exec(value) ?? []
  if (across === undefined || down === undefined) return null
  const scale = mostSide / Math.max(Number(across), Number(down))
  const [width, height] = [Number(across) * scale, Number(down) * scale]
  return (
    <svg class="shape" viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      <rect
        x={(18 - width) / 2}
        y={(18 - height) / 2}
        width={width}
        height={height}
        rx="1.5"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
      />
    </svg>
  )
}
