/** Keyboard shortcuts for the whole page, except while the reader types into a field or a dialog is open. */
export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (event.key === 'Escape') leaveSearch()
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    if (actOn(event.key)) event.preventDefault()
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement)
    return !/^(checkbox|radio|button|submit)$/.test(target.type)
  return target.isContentEditable || /^(TEXTAREA|SELECT|VIDEO)$/.test(target.tagName)
}

function leaveSearch(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLInputElement && activeElement.type === 'search') {
    activeElement.blur()
  }
}

function actOn(key: string): boolean {
  switch (key) {
    case '/':
      return focusOn(document.querySelector<HTMLElement>('[data-search]'))
    case 'n':
      location.assign('/app/videos/new')
      return true
    case 'j':
      return step(1)
    case 'k':
      return step(-1)
    case 'x':
      return toggle()
    case '?':
      return showShortcuts()
    default:
      return false
  }
}

function focusOn(element: HTMLElement | null | undefined): boolean {
  element?.focus()
  if (element instanceof HTMLInputElement) element.select()
  return element !== null && element !== undefined
}

/** The rows of a list, marked by `data-row`; each has one link that opens it. */
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')]
const currentRow = () => document.activeElement?.closest<HTMLElement>('[data-row]') ?? undefined

function step(by: 1 | -1): boolean {
  const all = rows()
  const current = currentRow()
  const at = current ? all.indexOf(current) + by : by > 0 ? 0 : all.length - 1
  return focusOn(all[at]?.querySelector<HTMLElement>('a[href]'))
}

function toggle(): boolean {
  const box = currentRow()?.querySelector<HTMLInputElement>('input[type=checkbox]')
  box?.click()
  return box !== null && box !== undefined
}

function showShortcuts(): boolean {
  const dialog = document.querySelector<HTMLDialogElement>('#shortcuts')
  dialog?.showModal()
  return dialog !== null
}
