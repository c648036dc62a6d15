import { valueAt } from '../../new-video/request/build-request.ts'
import { announce } from '../page/call-api.ts'
import { closestTo } from '../page/closest-to.ts'

export const listsIn = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>('[data-list]')]
export const itemsIn = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>('[data-item]')]

const holderOf = (list: HTMLElement) => list.querySelector<HTMLElement>(':scope > [data-items]')

/** The items of this list, without those of the lists inside them. */
export function itemsOf(list: HTMLElement): HTMLElement[] {
  return [...(holderOf(list)?.querySelectorAll<HTMLElement>(':scope > [data-item]') ?? [])]
}

/** Lets items be added, moved and removed, and calls `changed` after each change. */
export function enlivenLists(form: HTMLFormElement, changed: () => void): void {
  form.addEventListener('click', (event) => {
    const button = closestTo(event.target, 'button')
    const list = button?.closest<HTMLElement>('[data-list]')
    if (!button || !list) return
    const item = button.closest<HTMLElement>('[data-item]')
    const { add, move, remove } = button.dataset
    if (add !== undefined) focusIn(addItem(list, add))
    else if (move !== undefined && item) moveItem(list, item, Number(move), button)
    else if (remove !== undefined && item) removeItem(list, item)
    else return
    changed()
  })
}

export function addItem(list: HTMLElement, kind = ''): HTMLElement | undefined {
  const template = [...list.querySelectorAll<HTMLTemplateElement>(':scope > template')].find(
    ({ dataset }) => dataset['kind'] === kind,
  )
  const most = Number(list.dataset['most'] ?? Infinity)
  if (!template) return undefined
  if (itemsOf(list).length >= most) {
    announce(`There can be at most ${most}.`)
    return undefined
  }
  const made = document.importNode(template.content, true).querySelector<HTMLElement>('[data-item]')
  if (!made) return undefined
  holderOf(list)?.append(made)
  renumber(list)
  return made
}

function removeItem(list: HTMLElement, item: HTMLElement): void {
  const at = itemsOf(list).indexOf(item)
  item.remove()
  renumber(list)
  const left = itemsOf(list)
  const next = left[Math.min(at, left.length - 1)]
  const focus = next?.querySelector<HTMLElement>('[data-remove]') ?? addButtonOf(list)
  focus?.focus()
  announce('Removed')
}

const addButtonOf = (list: HTMLElement) =>
  list.querySelector<HTMLElement>(':scope > p > [data-add]')

function moveItem(list: HTMLElement, item: HTMLElement, by: number, button: HTMLElement): void {
  const items = itemsOf(list)
  const to = items.indexOf(item) + by
  const other = items[to]
  if (!other) return
  if (by < 0) other.before(item)
  else other.after(item)
  renumber(list)
  button.focus()
  announce(`Now number ${to + 1} of ${items.length}`)
}

/** Replaces all items by blank ones for these values; the caller fills in their controls. */
export function setItems(list: HTMLElement, value: unknown): void {
  const path = list.dataset['list'] ?? ''
  const values = Array.isArray(value) ? (value as unknown[]) : []
  for (const item of itemsOf(list)) item.remove()
  for (const one of values) {
    const kind = valueAt(one, list.dataset['by'] ?? '')
    const made = addItem(list, typeof kind === 'string' ? kind : '')
    for (const inner of made ? listsIn(made) : []) {
      const name = inner.dataset['list']?.slice(`${path}[${itemsOf(list).length - 1}].`.length)
      setItems(inner, valueAt(one, name ?? ''))
    }
  }
}

/** Names the controls of each item after its place in the list. */
function renumber(list: HTMLElement): void {
  const path = list.dataset['list'] ?? ''
  const items = itemsOf(list)
  // Two steps, so that no two groups of radios ever have the same name.
  items.forEach((item, i) => rename(item, item.id.replace(/^field-/, ''), `${path}[~${i}]`))
  items.forEach((item, i) => {
    rename(item, `${path}[~${i}]`, `${path}[${i}]`)
    const title = item.querySelector<HTMLElement>('[data-title]')
    if (title) title.textContent = `${title.dataset['title'] ?? ''} ${i + 1}`
  })
}

const naming = ['id', 'name', 'for', 'aria-describedby', 'data-list']

function rename(root: HTMLElement | DocumentFragment, from: string, to: string): void {
  const elements = [...(root instanceof HTMLElement ? [root] : []), ...root.querySelectorAll('*')]
  for (const element of elements) {
    for (const name of naming) {
      const value = element.getAttribute(name)
      if (value?.includes(from)) element.setAttribute(name, value.replaceAll(from, to))
    }
    if (element instanceof HTMLTemplateElement) rename(element.content, from, to)
  }
}

function focusIn(item: HTMLElement | undefined): void {
  item?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus()
}
