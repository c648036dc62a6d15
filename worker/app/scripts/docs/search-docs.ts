import { announce } from '../page/call-api.ts'
import { DocsIndex, type DocsRecord, type SearchHit } from './find-in-docs.ts'
import { make } from '../page/make.ts'

const most = 12
const shownChars = 140

/** Searches all pages while the reader types, or comes back to what was typed. The index is loaded when the field is first entered. */
export function searchDocs(): void {
  const field = document.querySelector<HTMLInputElement>('#search')
  const list = document.querySelector<HTMLElement>('#found')
  if (!field || !list) return
  let index: Promise<DocsIndex> | undefined
  const load = () => (index ??= loadIndex())
  const search = (): void => {
    const query = field.value
    void load().then(
      (loaded) => {
        // Skipped if the reader has typed on meanwhile.
        if (field.value === query) show(list, query, loaded)
      },
      () => {
        index = undefined
        tell(list, 'The search could not be loaded. Check the connection and type again.')
      },
    )
  }
  field.addEventListener('focus', search)
  field.addEventListener('input', search)
  moveThrough(field, list)
}

async function loadIndex(): Promise<DocsIndex> {
  const answer = await fetch('/docs/search.json')
  if (!answer.ok) throw new Error(`the search answered ${answer.status}`)
  return new DocsIndex((await answer.json()) as DocsRecord[])
}

function show(list: HTMLElement, query: string, index: DocsIndex): void {
  if (query.trim() === '') return close(list)
  const all = index.find(query)
  if (all.length === 0) return tell(list, `Nothing found for “${query.trim()}”.`)
  const items = make('ul')
  items.append(...all.slice(0, most).map(itemOf))
  list.replaceChildren(items)
  list.hidden = false
  announce(`${Math.min(all.length, most)} results; arrow down leads to them`)
}

function itemOf({ href, page, heading, text, terms }: SearchHit): HTMLElement {
  const item = make('li')
  const link = make('a', { href })
  link.append(
    part('of', page, []),
    part('name', heading, terms),
    part('text', around(text, terms), terms),
  )
  item.append(link)
  return item
}

function part(kind: string, text: string, terms: readonly string[]): HTMLElement {
  const element = make('span', { className: kind })
  const pieces = splitAt(text, terms)
  element.append(
    ...pieces.map((piece, i) => (i % 2 === 0 ? piece : make('mark', { textContent: piece }))),
  )
  return element
}

/** Splits a text at the terms, which stand at the odd places. */
function splitAt(text: string, terms: readonly string[]): string[] {
  if (terms.length === 0) return [text]
  const escaped = terms.map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.split(new RegExp(`(${escaped.join('|')})`, 'i'))
}

/** The words around the first match. */
function around(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 30)
  const start = places.length === 0 || from === 0 ? 0 : text.indexOf(' ', from) + 1
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + shownChars)}`
}

function tell(list: HTMLElement, text: string): void {
  list.replaceChildren(make('p', { textContent: text }))
  list.hidden = false
  announce(text)
}

function close(list: HTMLElement): void {
  list.hidden = true
  list.replaceChildren()
}

function moveThrough(field: HTMLInputElement, list: HTMLElement): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const links = [...list.querySelectorAll<HTMLElement>('a')]
    const at = links.findIndex((link) => link === document.activeElement)
    const isHere = event.target === field || at >= 0
    if (event.key === '/' && !isHere && !isTyping(event.target)) {
      event.preventDefault()
      field.focus()
      field.select()
    } else if (event.key === 'Escape' && isHere) {
      close(list)
      field.blur()
    } else if (event.key === 'Enter' && event.target === field) {
      links[0]?.click()
    } else if (isHere && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const to = at + (event.key === 'ArrowDown' ? 1 : -1)
      if (to < 0) field.focus()
      else links[to]?.focus()
    }
  })
  document.addEventListener('click', (event) => {
    const isInside =
      event.target instanceof Node && (field.contains(event.target) || list.contains(event.target))
    if (!isInside) close(list)
    // A link to another part of the same page loads no page, so the list must be closed here.
    if (event.target instanceof Element && event.target.closest('#found a')) close(list)
  })
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
