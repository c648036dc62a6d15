import { formatCount } from '../../design/formats.ts'
import { write } from '../page/write.ts'

/** The box that ticks all rows, and how many are ticked. */
export function chooseMany(): void {
  const all = document.querySelector<HTMLInputElement>('[data-all]')
  if (!all) return
  all.addEventListener('change', () => {
    for (const box of boxes()) box.checked = all.checked
    show(all)
  })
  document.addEventListener('change', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === 'videoId') show(all)
  })
  document.addEventListener('refreshed', () => show(all))
  // A browser that goes back restores the boxes as they were.
  addEventListener('pageshow', () => show(all))
  show(all)
}

function show(all: HTMLInputElement): void {
  const chosen = chosenRows()
  const total = boxes().length
  all.checked = total > 0 && chosen.length === total
  all.indeterminate = chosen.length > 0 && chosen.length < total
  const text = chosen.length === 0 ? 'Select all' : `${chosen.length} selected`
  write('[data-chosen]', text)
  document.querySelector('[data-bulk]')?.classList.toggle('some', chosen.length > 0)
  const cancel = document.querySelector<HTMLButtonElement>('[data-bulk] [value=cancel]')
  if (cancel) cancel.disabled = !chosen.some(({ isUnfinished }) => isUnfinished)
}

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('.videos input[name=videoId]')]

/** The rows that are ticked: the names of their videos, and whether they are still being made. */
function chosenRows(): { name: string; isUnfinished: boolean }[] {
  return boxes()
    .filter((box) => box.checked)
    .flatMap((box) => {
      const row = box.closest<HTMLElement>('[data-row]')
      const status = row?.dataset['status'] ?? ''
      const name = row?.querySelector('.name')?.textContent ?? ''
      return row ? [{ name, isUnfinished: status === 'queued' || status === 'running' }] : []
    })
}

const mostNamed = 3

/** Fills in the dialogs' questions when they open. */
export function askAboutChosen(): void {
  for (const [id, verb] of [
    ['ask-cancel', 'Cancel'],
    ['ask-delete', 'Delete'],
  ] as const) {
    const dialog = document.getElementById(id)
    dialog?.addEventListener('opening', () => fillIn(dialog, verb))
  }
}

function fillIn(dialog: HTMLElement, verb: 'Cancel' | 'Delete'): void {
  const chosen = chosenRows()
  const about = verb === 'Cancel' ? chosen.filter(({ isUnfinished }) => isUnfinished) : chosen
  const what = `${verb} ${formatCount(about.length, 'video')}`
  write('h2', `${what}?`, dialog)
  write('[data-button]', what, dialog)
  write('[data-names]', describe(about, verb), dialog)
}

function describe(rows: readonly { name: string; isUnfinished: boolean }[], verb: string): string {
  const names = rows.slice(0, mostNamed).map(({ name }) => name)
  const more = rows.length - names.length
  const unfinished = rows.filter(({ isUnfinished }) => isUnfinished).length
  const list = more > 0 ? `${names.join(', ')} and ${more} more.` : `${names.join(', ')}.`
  if (verb === 'Cancel' || unfinished === 0) return list
  return `${list} ${unfinished} of them ${unfinished === 1 ? 'is' : 'are'} still being made.`
}
