import { announce } from './call-api.ts'
import { closestTo } from './closest-to.ts'
import { make } from './make.ts'

const shownMs = 1500

/** A click on an element with `data-copy` copies that text, or the code below the element, and says so. */
export function copyOnClick(): void {
  document.addEventListener('click', (event) => {
    const source = closestTo(event.target, '[data-copy]')
    if (source) void copy(source, textOf(source))
  })
}

/** The text to copy, read from the page: writing code into it twice would double its size. */
function textOf(source: HTMLElement): string {
  const { copy: text = '' } = source.dataset
  return text === '' ? (source.closest('.code')?.querySelector('pre')?.textContent ?? '') : text
}

async function copy(source: HTMLElement, text: string): Promise<void> {
  if (!(await write(text)) && !copySelected(text)) {
    showToCopy(source, text)
    announce('This browser does not let the page copy. The text is selected: copy it yourself.')
    return
  }
  source.dataset['copied'] = ''
  announce('Copied')
  setTimeout(() => delete source.dataset['copied'], shownMs)
}

/** Browsers offer the clipboard only over https and on localhost, and may refuse it even there. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The older way to copy, which needs a selected field and works on every address. */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = fieldWith(text)
  // Placed where the reader is, so that the page does not scroll to it.
  Object.assign(field.style, { position: 'fixed', top: '0', opacity: '0' })
  placeFor(focused ?? document.body).append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}

/** The field must lie inside an open dialog, or it could not be selected. */
const placeFor = (element: Element) => element.closest('dialog[open]') ?? document.body

/** Selects the code, or shows the whole text in a field beside the button and selects that. */
function showToCopy(source: HTMLElement, text: string): void {
  const pre = source.closest('.code')?.querySelector('pre')
  if (pre) return getSelection()?.selectAllChildren(pre)
  const known = source.nextElementSibling
  const field =
    known instanceof HTMLTextAreaElement && known.value === text ? known : fieldWith(text)
  field.className = 'input mono'
  source.after(field)
  field.focus()
  field.select()
}

function fieldWith(text: string): HTMLTextAreaElement {
  const field = make('textarea', { value: text, readOnly: true, rows: 2 })
  field.setAttribute('aria-label', 'Text to copy')
  return field
}
