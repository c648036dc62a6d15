import { boxes, chosenRows } from './chosen-rows.ts'

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
  // A browser that goes back shows the boxes as they were left.
  addEventListener('pageshow', () => show(all))
  show(all)
}

function show(all: HTMLInputElement): void {
  const chosen = chosenRows()
  const total = boxes().length
  all.checked = total > 0 && chosen.length === total
  all.indeterminate = chosen.length > 0 && chosen.length < total
  const text = chosen.length === 0 ? 'Select all' : `${chosen.length} selected`
  const words = document.querySelector('[data-chosen]')
  if (words && words.textContent !== text) words.textContent = text
  document.querySelector('[data-bulk]')?.classList.toggle('some', chosen.length > 0)
  const cancel = document.querySelector<HTMLButtonElement>('[data-bulk] [value=cancel]')
  if (cancel) cancel.disabled = !chosen.some(({ isUnfinished }) => isUnfinished)
}
