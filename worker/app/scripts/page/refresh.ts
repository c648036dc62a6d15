import { noteAnswer } from './poll-while-visible.ts'

/**
 * Reads this page again and replaces the parts that have changed: those with `data-region`, and inside those with `data-keyed`
 * single children with a `data-key`. Whatever the reader has marked, opened or focused stays. `only`: the parts that may have
 * changed.
 */
export async function refresh(only?: readonly string[]): Promise<void> {
  const { pathname, search } = location
  const answer = await fetch(pathname + search, { headers: { Accept: 'text/html' } })
  // The session has ended or the subject was deleted: a reload leads to the page that says so.
  if (answer.redirected || answer.status === 404) return location.reload()
  if (!answer.ok) throw new Error(`The page was answered with ${answer.status}`)
  const text = await answer.text()
  // The reader has typed on: this answers an older search, and that to the newer one may be here already.
  if (location.search !== search) return
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    ({ dataset: { region = '' } }) => only?.includes(region) ?? true,
  )
  const nexts = regions.map(({ dataset: { region } }) =>
    fresh.querySelector<HTMLElement>(`[data-region="${region ?? ''}"]`),
  )
  // The page has become another one, as when a list was empty before.
  if (nexts.includes(null)) return location.reload()
  regions.forEach((region, i) => {
    const next = nexts[i]
    if (next && !isSame(region, next)) update(region, next)
  })
  if (!only) document.dispatchEvent(new Event('refreshed'))
}

function update(region: HTMLElement, next: HTMLElement): void {
  if ('keyed' in region.dataset && 'keyed' in next.dataset) updateChildren(region, next)
  else replace(region, next)
}

function updateChildren(region: HTMLElement, next: HTMLElement): void {
  const known = new Map(
    [...region.querySelectorAll<HTMLElement>(':scope > [data-key]')].map((child) => [
      child.dataset['key'],
      child,
    ]),
  )
  const children = [...next.querySelectorAll<HTMLElement>(':scope > [data-key]')].map((child) => {
    const old = known.get(child.dataset['key'])
    if (!old) return document.importNode(child, true)
    return isSame(old, child) ? old : replace(old, child)
  })
  const kept = new Set(children)
  for (const child of [...region.children]) {
    if (child instanceof HTMLElement && !kept.has(child)) child.remove()
  }
  children.forEach((child, i) => {
    if (region.children[i] !== child) region.insertBefore(child, region.children[i] ?? null)
  })
}

function replace(old: HTMLElement, next: HTMLElement): HTMLElement {
  const made = document.importNode(next, true)
  const marked = [...old.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
  const boxes = made.querySelectorAll<HTMLInputElement>('input[type=checkbox]')
  marked.forEach((box, i) => {
    const same = boxes[i]
    if (same?.value === box.value) same.checked = box.checked
  })
  const opened = [...old.querySelectorAll('details')].map(({ open }) => open)
  made.querySelectorAll('details').forEach((details, i) => (details.open = opened[i] ?? false))
  const focused = focusedIn(old)
  old.replaceWith(made)
  if (focused !== undefined) focusables(made)[focused]?.focus({ preventScroll: true })
  return made
}

const focusables = (element: Element) => [
  ...element.querySelectorAll<HTMLElement>('a[href], button, input, summary'),
]

function focusedIn(element: Element): number | undefined {
  const at = focusables(element).findIndex((child) => child === document.activeElement)
  return at === -1 ? undefined : at
}

/** Whether the service wrote the same; changes made by scripts do not count. */
function isSame(shown: HTMLElement, next: HTMLElement): boolean {
  return asWritten(shown) === asWritten(next)
}

function asWritten(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement
  for (const time of copy.querySelectorAll('time[data-age]')) time.textContent = ''
  for (const details of copy.querySelectorAll('details')) details.open = false
  for (const copied of copy.querySelectorAll('[data-copied]')) copied.removeAttribute('data-copied')
  return copy.outerHTML
}

/** Reads this page again, and notes whether the service answered. */
export async function refreshOnce(): Promise<void> {
  await refresh().then(
    () => noteAnswer(true),
    () => noteAnswer(false),
  )
}

/** Removes the note about what was just done from the address, so that a reload does not show it again. */
export function forgetDone(): void {
  const here = new URL(location.href)
  if (!here.searchParams.has('done')) return
  here.searchParams.delete('done')
  history.replaceState(null, '', here)
}
