import {
  buildRequest,
  type Part,
  type Request,
  type ValueKind,
} from '../../new-video/build-request.ts'
import { valueAt } from '../../new-video/path-steps.ts'
import { itemsIn, listsIn, setItems } from './lists.ts'

type ControlElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const controlsIn = (root: ParentNode) => [...root.querySelectorAll<ControlElement>('[data-reads]')]

/** What the controls hold, defaults and all sources included. */
export function readControls(form: HTMLFormElement): Request {
  const items = itemsIn(form).map(({ id }): Part => {
    return { path: id.replace(/^field-/, ''), kind: 'item', text: '' }
  })
  const values = controlsIn(form).flatMap((control): Part[] => {
    const text = textOf(control)
    const kind = control.dataset['reads'] as ValueKind
    return text === undefined ? [] : [{ path: control.name, kind, text }]
  })
  return buildRequest([...items, ...values])
}

function textOf(control: ControlElement): string | undefined {
  if (control instanceof HTMLInputElement) {
    if (control.type === 'radio' && !control.checked) return undefined
    if (control.type === 'checkbox') return String(control.checked)
  }
  // Browsers give no text for a number that they cannot read; the API says what is wrong with it.
  return control.validity.badInput ? 'not a number' : control.value
}

/** Makes the controls hold these values. */
export function writeControls(form: HTMLFormElement, values: Request): void {
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

function writeControl(control: ControlElement, value: unknown): void {
  if (control.type === 'checkbox') (control as HTMLInputElement).checked = value === true
  else if (control.type === 'radio') {
    ;(control as HTMLInputElement).checked = asText(value) === control.value
  } else control.value = asText(value)
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

/** Unfolds whatever the element is folded into. */
export function open(element: Element): void {
  const folded = element.closest('details:not([open])')
  if (!(folded instanceof HTMLDetailsElement)) return
  folded.open = true
  open(folded)
}
