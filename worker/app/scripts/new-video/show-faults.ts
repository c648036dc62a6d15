import type { FieldFault } from '../../../contract/answers/errors.ts'
import { countFaults } from '../../new-video/count-faults.ts'
import { open } from './controls.ts'

/** Shows each fault at the control that it belongs to, all of them in the list on top, and goes to the first. */
export function showFaults(faults: readonly FieldFault[]): void {
  clearFaults()
  const placed = faults.map((fault) => ({ fault, place: placeOf(fault.field) }))
  placed.sort(({ place: a }, { place: b }) => inOrder(a, b))
  for (const { fault, place } of placed) showAt(place, fault)
  const summary = document.querySelector<HTMLElement>('#faults')
  const [count, list] = ['#faults-count', '#faults-list'].map((id) => document.querySelector(id))
  if (count) count.textContent = countFaults(faults.length)
  list?.replaceChildren(...placed.map(({ fault, place }) => lineFor(fault, place)))
  if (summary) summary.hidden = faults.length === 0
  const first = placed[0]?.place
  if (first) goTo(first)
}

export function clearFaults(): void {
  for (const fault of document.querySelectorAll(
    '.compose .fault[data-shown], .compose .field > .fault',
  )) {
    fault.remove()
  }
  for (const control of document.querySelectorAll('.compose [aria-invalid]')) forgive(control)
  const summary = document.querySelector<HTMLElement>('#faults')
  if (summary) summary.hidden = true
}

/** Takes the fault from a control that is being changed. */
export function forgive(control: Element): void {
  if (control.id === 'request-json') return
  control.removeAttribute('aria-invalid')
  document.getElementById(`${control.id}-error`)?.remove()
  const described = control.getAttribute('aria-describedby')?.split(' ') ?? []
  const left = described.filter((id) => id !== `${control.id}-error`)
  if (left.length > 0) control.setAttribute('aria-describedby', left.join(' '))
}

/** The control of a field, or what is nearest around it; the request as text for a field that the page does not know. */
function placeOf(field: string): HTMLElement {
  for (let path = field; path !== ''; path = path.replace(/(^|\.|\[)[^.[]*$/, '')) {
    const place = document.getElementById(`field-${path}`)
    if (place) return place
  }
  return document.querySelector<HTMLElement>('#request-json') ?? document.body
}

function inOrder(a: Node, b: Node): number {
  return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : a === b ? 0 : 1
}

const isControl = (place: HTMLElement) => place.matches('input, select, textarea')

function showAt(place: HTMLElement, { field, message }: FieldFault): void {
  const line = document.createElement('p')
  line.className = 'fault'
  line.dataset['shown'] = ''
  line.textContent = place.id === `field-${field}` ? message : `${field}: ${message}`
  if (isControl(place)) {
    line.id = `${place.id}-error`
    const described = place.getAttribute('aria-describedby')
    place.setAttribute('aria-invalid', 'true')
    place.setAttribute('aria-describedby', [line.id, described].filter(Boolean).join(' '))
    const frame = place.parentElement?.classList.contains('measured') ? place.parentElement : place
    if (place.matches('[type=checkbox]')) place.parentElement?.append(line)
    else frame.after(line)
  } else {
    const head = place.querySelector(
      ':scope > summary, :scope > legend, :scope > h3, :scope > .item-head',
    )
    if (head) head.after(line)
    else place.prepend(line)
  }
}

function lineFor({ field, message }: FieldFault, place: HTMLElement): HTMLLIElement {
  const line = document.createElement('li')
  const link = document.createElement('a')
  link.href = `#${place.id}`
  link.textContent = field
  link.addEventListener('click', (event) => {
    event.preventDefault()
    goTo(place)
  })
  line.append(link, `: ${message}`)
  return line
}

function goTo(place: HTMLElement): void {
  open(place)
  const target = isControl(place)
    ? place
    : [...place.querySelectorAll<HTMLElement>('button, input, select, textarea, summary')].find(
        (element) => element.offsetParent !== null && !element.matches('[type=hidden]'),
      )
  target?.focus()
  target?.scrollIntoView({ block: 'center' })
}
