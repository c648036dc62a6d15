import type { FieldFault } from '../../../contract/answers/errors.ts'
import { countFaults } from '../../new-video/form/control.ts'
import { open } from './controls.ts'
import { make } from '../page/make.ts'

/** Shows each fault at its control and all of them in the list on top, and scrolls to the first. */
export function showFaults(faults: readonly FieldFault[]): void {
  clearFaults()
  const placed = faults.map((fault) => ({ fault, place: placeOf(fault.field) }))
  placed.sort(({ place: a }, { place: b }) => inOrder(a, b))
  for (const { fault, place } of placed) showAt(place, fault)
  const list = document.querySelector('#faults-list')
  list?.replaceChildren(...placed.map(({ fault, place }) => lineFor(fault, place)))
  sumUp(faults.length)
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
  document.querySelector('#faults-list')?.replaceChildren()
  sumUp(0)
}

/** Removes the faults of a control that is being changed, and those of the groups around it. */
export function forgiveAround(control: Element): void {
  const list = document.querySelector('#faults-list')
  for (let place: Element | null = control; place; place = place.parentElement) {
    if (!place.id.startsWith('field-')) continue
    if (place.hasAttribute('aria-invalid')) forgive(place)
    place.querySelector(':scope > .fault:not([data-file-fault])')?.remove()
    for (const link of list?.querySelectorAll('a') ?? []) {
      if (link.getAttribute('href') === `#${place.id}`) link.closest('li')?.remove()
    }
  }
  sumUp(list?.childElementCount ?? 0)
}

function forgive(control: Element): void {
  if (control.id === 'request-json') return
  control.removeAttribute('aria-invalid')
  document.getElementById(`${control.id}-error`)?.remove()
  const described = control.getAttribute('aria-describedby')?.split(' ') ?? []
  const left = described.filter((id) => id !== `${control.id}-error`)
  if (left.length > 0) control.setAttribute('aria-describedby', left.join(' '))
}

/** Says how many faults are left; hides the list when none are. */
function sumUp(count: number): void {
  const [summary, line, state] = ['#faults', '#faults-count', '#state'].map((id) =>
    document.querySelector<HTMLElement>(id),
  )
  if (!summary || (summary.hidden && count === 0)) return
  summary.hidden = count === 0
  if (line) line.textContent = countFaults(count)
  if (state && count === 0) state.textContent = ''
}

/** The control of a field, or the nearest one around it; for a field that the page does not know, the JSON of the request. */
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
  const text = place.id === `field-${field}` ? message : `${nameOf(field, place)}: ${message}`
  const line = make('p', { className: 'fault', textContent: text })
  line.dataset['shown'] = ''
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
  const line = make('li')
  const link = make('a', { href: `#${place.id}`, textContent: nameOf(field, place) })
  link.addEventListener('click', (event) => {
    event.preventDefault()
    goTo(place)
  })
  line.append(link, `: ${message}`)
  return line
}

/** A fault on a line of its own, with the page's name for the control. */
export function sayFault({ field, message }: FieldFault): string {
  return `${nameOf(field, placeOf(field))}: ${message}`
}

/** The page's name for a field: "Elements: Address". A field without a control has its name in the request. */
function nameOf(field: string, place: HTMLElement): string {
  if (place.id !== `field-${field}`) return field
  const [root = ''] = field.split(/[.[]/)
  const whole = document.getElementById(`field-${root}`)
  const names = [whole ?? place, place].map(labelOf).filter((name) => name !== '')
  return names.length === 0 ? field : [...new Set(names)].join(': ')
}

function labelOf(place: HTMLElement): string {
  const label = isControl(place)
    ? (place as HTMLInputElement).labels?.[0]
    : (place.querySelector(':scope > summary, :scope > legend') ??
      place.closest('fieldset')?.querySelector('legend'))
  return place.getAttribute('aria-label') ?? label?.textContent.trim() ?? ''
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
