import type { Child } from 'hono/jsx'
import { FaultAndHint, FieldFrame } from '../../design/field.tsx'
import { ChoiceView } from './choice-view.tsx'
import { type Control, type Field, type ItemKind, faultAt, type Filled } from './control.ts'
import { EntryView } from './entry-view.tsx'
import { valueAt } from '../request/build-request.ts'

type FieldPlace = {
  field: Field
  /** The path of the object that holds the field, with its separator: empty, or `elements[2].position.`. */
  within?: string
  filled: Filled
  /** Whether this is a blank item for browsers without scripts, which cannot add anything to it. */
  plain?: boolean
}

/** One field of the request: its label, its control, an explanation, and what is wrong with the value. */
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
      return control.isSwitched ? (
        <SwitchedView {...{ field, path, filled, plain }} fields={control.fields} />
      ) : (
        <GroupView {...{ field, path, filled, plain }} fields={control.fields} />
      )
    case 'list':
      return <ListView {...{ field, path, filled, plain }} list={control} />
    case 'flag':
      return <FlagView {...{ field, path, filled }} initial={control.initial} />
    case 'choice':
      return <ChoiceView {...{ field, path, filled }} choice={control} />
    case 'number':
    case 'time':
    case 'text':
    case 'mixed':
    case 'phrases':
    case 'terms':
    case 'json':
      return (
        <FieldFrame
          label={field.label}
          name={path}
          hint={field.hint}
          error={faultAt(filled, path)}
          control={(props) => (
            <>
              <EntryView control={control} value={valueAt(filled.request, path)} {...{ props }} />
              {!plain && isMediaAddress(path) && <PickView />}
            </>
          )}
        />
      )
  }
}

/** Whether the address in an item of a list may be replaced by a file from this machine. */
const isMediaAddress = (path: string) => /^(elements|files)\[[^\]]*\]\.url$/.test(path)

function PickView() {
  return (
    <p class="row needs-script">
      <button type="button" class="button small" data-pick>
        Choose a file
      </button>
      <output class="soft" data-picked></output>
    </p>
  )
}

type Filling = { field: Field; path: string; filled: Filled }

function FlagView({ field, path, filled, initial }: Filling & { initial: boolean | undefined }) {
  const id = `field-${path}`
  const fault = faultAt(filled, path)
  const value = valueAt(filled.request, path)
  const isDetailed = typeof value === 'object' && value !== null
  return (
    <div class="field check">
      {/* A browser sends nothing for a box that is not ticked. */}
      {initial && <input type="hidden" name={path} value="false" />}
      <input
        type="checkbox"
        id={id}
        name={path}
        value={isDetailed ? JSON.stringify(value) : 'true'}
        checked={isDetailed || value === true}
        data-reads={isDetailed ? 'json' : 'flag'}
        data-quiet={initial === undefined ? '' : undefined}
        aria-describedby={field.hint === undefined ? undefined : `${id}-hint`}
        aria-invalid={fault === undefined ? undefined : 'true'}
      />
      <label for={id}>{field.label}</label>
      <FaultAndHint {...{ id, fault }} hint={field.hint} />
    </div>
  )
}

type FieldsProps = { fields: readonly Field[]; within?: string; filled: Filled; plain?: boolean }

/** Fields one below the other, with those that few people need folded away at the end. */
export function FieldsView({ fields, within = '', filled, plain = false }: FieldsProps) {
  const props = { within, filled, plain }
  const folded = (how: Field['isRare']) => fields.filter(({ isRare }) => isRare === how)
  return (
    <>
      {folded(undefined).map((field) => (
        <FieldView field={field} {...props} />
      ))}
      <FoldedView title="More" fields={folded(true)} {...props} />
      <FoldedView title="For developers" fields={folded('developers')} {...props} />
    </>
  )
}

function FoldedView({ title, fields, ...props }: FieldsProps & { title: string }) {
  const { within = '', filled } = props
  const isGiven = ({ name, control }: Field) => {
    const value = valueAt(filled.request, within + name)
    const isUsual = 'initial' in control && control.initial === value
    return (value !== undefined && !isUsual) || isFaultyAt(filled, within + name)
  }
  if (fields.length === 0) return null
  return (
    <details class="group" open={fields.some(isGiven)}>
      <summary>
        {title}: {namesOf(fields)}
      </summary>
      <div class="fields">
        {fields.map((field) => (
          <FieldView field={field} {...props} />
        ))}
      </div>
    </details>
  )
}

function namesOf(fields: readonly Field[]): string {
  const names = fields.map(({ label }) => label.charAt(0).toLowerCase() + label.slice(1))
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} …` : names.join(', ')
}

const isFaultyAt = (filled: Filled, path: string) =>
  filled.faults.some(({ field }) => field.startsWith(path))

type GroupProps = Filling & { plain: boolean; fields: readonly Field[] }

/** A group with a switch; once it is on, the group is sent even if it is empty. */
function SwitchedView({ field, path, filled, plain, fields }: GroupProps) {
  const id = `field-${path}`
  const fault = faultAt(filled, path)
  return (
    <div class="switched">
      <div class="field check">
        <input
          type="checkbox"
          id={id}
          name={path}
          value="on"
          checked={valueAt(filled.request, path) !== undefined}
          data-reads="item"
          aria-describedby={`${id}-hint`}
        />
        <label for={id}>{field.label}</label>
        <FaultAndHint {...{ id, fault }} hint={field.hint} />
      </div>
      <div class="fields">
        <FieldsView fields={fields} within={`${path}.`} {...{ filled, plain }} />
      </div>
    </div>
  )
}

/** A group that stays folded until a value in it is given: most requests need none of it. */
function GroupView({ field, path, filled, plain, fields }: GroupProps) {
  const isGiven = valueAt(filled.request, path) !== undefined
  const isFaulty = isFaultyAt(filled, path)
  const fault = faultAt(filled, path)
  return (
    <details class="group" id={`field-${path}`} open={isGiven || isFaulty}>
      <summary>{field.label}</summary>
      {fault !== undefined && <p class="fault">{fault}</p>}
      {field.hint !== undefined && <p class="hint">{field.hint}</p>}
      <div class="fields" role="group" aria-label={field.label}>
        <FieldsView fields={fields} within={`${path}.`} {...{ filled, plain }} />
      </div>
    </details>
  )
}

type ListOf = Extract<Control, { kind: 'list' }>
type ListProps = { field: Field; path: string; filled: Filled; list: ListOf; plain: boolean }

const blank: Filled = { request: {}, faults: [] }

/**
 * Items that can be added, moved and removed where scripts run, which copy the template of their kind. Without scripts,
 * there is one blank item of each kind.
 */
function ListView({ field, path, filled, list, plain }: ListProps) {
  const items = itemsOf(filled, path)
  const fault = faultAt(filled, path)
  const shared = { field, list, path }
  return (
    <section
      class="list"
      id={`field-${path}`}
      data-list={path}
      data-most={list.most}
      data-by={fixedOf(list)}
      aria-label={field.label}
    >
      <h3>{field.label}</h3>
      {fault !== undefined && <p class="fault">{fault}</p>}
      {field.hint !== undefined && <p class="hint">{field.hint}</p>}
      <ol data-items>
        {items.map((item, i) => (
          <Item
            {...shared}
            kind={kindOf(list, item)}
            place={String(i)}
            filled={filled}
            plain={plain}
          />
        ))}
        {plain && <BlankItems {...shared} from={items.length} />}
      </ol>
      {!plain && <MoreItems {...shared} from={items.length} />}
    </section>
  )
}

type MoreProps = { field: Field; list: ListOf; path: string; from: number }

/** The templates that a script adds items from, or one blank item of each kind for browsers without scripts. */
function MoreItems({ from, ...shared }: MoreProps) {
  return (
    <>
      <noscript>
        <ol>
          <BlankItems {...shared} from={from} />
        </ol>
      </noscript>
      <AddButtons field={shared.field} list={shared.list} />
      {shared.list.kinds.map((kind) => (
        <template data-kind={kind.name ?? ''}>
          <Item {...shared} kind={kind} place="#" filled={blank} plain={false} />
        </template>
      ))}
    </>
  )
}

function itemsOf(filled: Filled, path: string): readonly unknown[] {
  const value = valueAt(filled.request, path)
  return Array.isArray(value) ? (value as unknown[]) : []
}

/** The name of the field whose value tells the kinds apart. */
function fixedOf({ kinds }: ListOf): string | undefined {
  return kinds[0]?.fields.find(({ control }) => control.kind === 'fixed')?.name
}

/** The kind whose fixed value the item has; the first kind if none matches. */
function kindOf({ kinds }: ListOf, item: unknown): ItemKind {
  const known = kinds.find(({ name, fields }) =>
    fields.some(({ name: by, control }) => control.kind === 'fixed' && name === valueAt(item, by)),
  )
  return known ?? kinds[0] ?? { fields: [] }
}

function BlankItems({ field, list, path, from }: MoreProps) {
  return (
    <>
      {list.kinds.map((kind, i) => (
        <Item {...{ field, list, path, kind }} place={String(from + i)} filled={blank} plain />
      ))}
    </>
  )
}

function AddButtons({ field, list }: Pick<MoreProps, 'field' | 'list'>) {
  return (
    <p class="row needs-script">
      {list.kinds.map(({ name, label }) => (
        <button type="button" class="button small" data-add={name ?? ''}>
          Add {label ?? oneOf(field)}
        </button>
      ))}
    </p>
  )
}

/** `files` → "file"; `removeSegments` → "segment". */
function nounOf({ name }: Field): string {
  const [last = ''] = /[A-Z]?[a-z]+$/.exec(name) ?? []
  return last.toLowerCase().replace(/s$/, '')
}

function oneOf(field: Field): string {
  const noun = nounOf(field)
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

type ItemProps = {
  field: Field
  list: ListOf
  path: string
  kind: ItemKind
  /** The item's index; `#` in a template. */
  place: string
  filled: Filled
  plain: boolean
}

function Item({ field, path, kind, place, filled, plain }: ItemProps) {
  const here = `${path}[${place}]`
  const fault = faultAt(filled, here)
  const title = kind.label ?? nounOf(field)
  return (
    <li class="item" data-item id={`field-${here}`}>
      <div class="item-head">
        <strong data-title={title}>
          {title} {place === '#' ? '' : Number(place) + 1}
        </strong>
        {!plain && <ItemButtons />}
      </div>
      {fault !== undefined && <p class="fault">{fault}</p>}
      <div class="fields">
        <FieldsView fields={kind.fields} within={`${here}.`} filled={filled} plain={plain} />
      </div>
    </li>
  )
}

function ItemButtons() {
  return (
    <span class="row needs-script">
      <MoveButton by="-1" label="Move up" sign="↑" />
      <MoveButton by="1" label="Move down" sign="↓" />
      <button type="button" class="button small quiet" data-remove>
        Remove
      </button>
    </span>
  )
}

function MoveButton({ by, label, sign }: { by: string; label: string; sign: string }) {
  return (
    <button
      type="button"
      class="button small quiet"
      data-move={by}
      aria-label={label}
      title={label}
    >
      {sign}
    </button>
  )
}
