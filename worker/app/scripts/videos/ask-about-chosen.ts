import { formatCount } from '../../design/format-count.ts'
import { chosenRows } from './chosen-rows.ts'

const mostNamed = 3

/** Fills in what the dialogs ask about, when they open. */
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
  const write = (selector: string, text: string) => {
    const place = dialog.querySelector(selector)
    if (place) place.textContent = text
  }
  write('h2', `${what}?`)
  write('[data-button]', what)
  write('[data-names]', describe(about, verb))
}

function describe(rows: readonly { name: string; isUnfinished: boolean }[], verb: string): string {
  const names = rows.slice(0, mostNamed).map(({ name }) => name)
  const more = rows.length - names.length
  const unfinished = rows.filter(({ isUnfinished }) => isUnfinished).length
  const list = more > 0 ? `${names.join(', ')} and ${more} more.` : `${names.join(', ')}.`
  if (verb === 'Cancel' || unfinished === 0) return list
  return `${list} ${unfinished} of them ${unfinished === 1 ? 'is' : 'are'} still being made.`
}
