import {
  asText,
  buildRequest,
  writePhrases,
  writeTerms,
  type Part,
  type Choices,
  type ValueKind,
  valueAt,
} from '../../new-video/request/build-request.ts'
import { itemsIn, listsIn, setItems } from './lists.ts'

type ControlElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const controlsIn = (root: ParentNode) => [...root.querySelectorAll<ControlElement>('[data-reads]')]

/** The values of the controls, defaults and all sources included. */
export function readControls(form: HTMLFormElement): Choices {
  const items = itemsIn(form).map(({ id }): Part => {
    return { path: id.replace(/^field-/, ''), kind: 'item', text: '' }
  })
  const controls = controlsIn(form)
  const off = controls.flatMap((control) =>
    isSwitch(control) && !control.checked ? control.name : [],
  )
  const values = controls.flatMap((control): Part[] => {
    const { name } = control
    const isOff = off.some((path) => name === path || name.startsWith(`${path}.`))
    const text = isOff ? undefined : textOf(control)
    const kind = control.dataset['reads'] as ValueKind
    return text === undefined ? [] : [{ path: name, kind, text }]
  })
  return buildRequest([...items, ...values])
}

/** Whether a control switches a group on: the group is then sent even if it is empty. */
const isSwitch = (control: ControlElement): control is HTMLInputElement =>
  control.type === 'checkbox' && control.dataset['reads'] === 'item'

function textOf(control: ControlElement): string | undefined {
  if (control instanceof HTMLInputElement) {
    if (control.type === 'radio' && !control.checked) return undefined
    const isQuiet = 'quiet' in control.dataset
    if (control.type === 'checkbox') return control.checked ? control.value : isQuiet ? '' : 'false'
  }
  // Browsers give no text for a number that they cannot read; the API says what is wrong with it.
  return control.validity.badInput ? 'not a number' : control.value
}

/** Sets the controls to these values. */
export function writeControls(form: HTMLFormElement, values: Choices): void {
  for (const list of listsIn(form)) {
    if (list.parentElement?.closest('[data-item]')) continue
    setItems(list, valueAt(values, list.dataset['list'] ?? ''))
  }
  for (const control of controlsIn(form)) {
    if ('fixed' in control.dataset) continue
    writeControl(control, valueAt(values, control.name))
    if (control.value !== '' && control.type !== 'radio' && control.type !== 'checkbox')
      open(control)
  }
}

const writers: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  phrases: writePhrases,
  terms: writeTerms,
}

function writeControl(control: ControlElement, value: unknown): void {
  if (isSwitch(control)) control.checked = value !== undefined
  else if (!(control instanceof HTMLInputElement)) {
    control.value = writers[control.dataset['reads'] ?? '']?.(value) ?? asText(value)
  } else if (control.type === 'checkbox') writeFlag(control, value)
  else if (control.type === 'radio') {
    // The usual value is chosen by leaving the control empty, or by its own name.
    const { usual, byHand } = control.dataset
    if (byHand !== undefined) {
      control.checked = typeof value === 'object' && value !== null
      if (control.checked) control.value = JSON.stringify(value)
      return
    }
    const text = asText(value)
    control.checked = text === control.value || (usual !== undefined && text === usual)
  } else control.value = asText(value)
}

/** A box may stand for a more detailed object, which is kept and given back unchanged. */
function writeFlag(box: HTMLInputElement, value: unknown): void {
  const isDetailed = typeof value === 'object' && value !== null
  box.checked = isDetailed || value === true
  box.value = isDetailed ? JSON.stringify(value) : 'true'
  box.dataset['reads'] = isDetailed ? 'json' : 'flag'
}

/** Unfolds everything that the element is folded into. */
export function open(element: Element): void {
  const folded = element.closest('details:not([open])')
  if (!(folded instanceof HTMLDetailsElement)) return
  folded.open = true
  open(folded)
}

/** Enters a text into the control of a field, and unfolds the groups around it. */
export function setControl(form: HTMLFormElement, name: string, text: string): void {
  const control = form.elements.namedItem(name)
  const isEntry =
    control instanceof HTMLInputElement ||
    control instanceof HTMLSelectElement ||
    control instanceof HTMLTextAreaElement
  if (!isEntry) return
  control.value = text
  if (text !== '') open(control)
}
