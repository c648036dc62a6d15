/** Searches the transcript: marks the matches and steps from one to the next. */
export function searchSpeech(): void {
  document.addEventListener('input', ({ target }) => {
    const field = fieldOf(target)
    if (field) find(field)
  })
  document.addEventListener('keydown', (event) => {
    const field = fieldOf(event.target)
    if (!field || event.key !== 'Enter') return
    event.preventDefault()
    go(field, event.shiftKey ? -1 : 1)
  })
  document.addEventListener('click', ({ target }) => {
    const by = target instanceof HTMLElement ? target.dataset['found'] : undefined
    const field = document.querySelector<HTMLInputElement>('[data-search-said]')
    if (by !== undefined && field) go(field, Number(by))
  })
  // Words have been added or replaced.
  for (const name of ['filled', 'refreshed'])
    document.addEventListener(name, () => {
      const field = document.querySelector<HTMLInputElement>('[data-search-said]')
      if (field && field.value !== '') find(field)
    })
}

const fieldOf = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && 'searchSaid' in target.dataset ? target : undefined

let found: Element[] = []
let at = -1

const plain = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ')

function find(field: HTMLInputElement): void {
  const wanted = plain(field.value.trim())
  const sentences = [...document.querySelectorAll('[data-said] li')]
  found =
    wanted === ''
      ? []
      : sentences.filter((one) => plain(one.lastElementChild?.textContent ?? '').includes(wanted))
  at = -1
  if (found.length > 0) go(field, 1)
  else show(field)
}

/** The answer without a match: the words of long films arrive after the page. */
const noneFound = () =>
  document.querySelector('[data-said][data-rest]')
    ? 'Not in the words that are here yet.'
    : 'Nobody says that.'

function go(field: HTMLInputElement, by: number): void {
  if (found.length === 0) return
  at = (at + by + found.length) % found.length
  found[at]?.scrollIntoView({ block: 'nearest' })
  show(field)
}

function show(field: HTMLInputElement): void {
  for (const marked of document.querySelectorAll('[data-said] .found'))
    marked.classList.remove('found')
  found[at]?.classList.add('found')
  const count = field.closest('.search-said')?.querySelector('output')
  if (!count) return
  if (field.value.trim() === '') count.textContent = ''
  else count.textContent = found.length === 0 ? noneFound() : `${at + 1} of ${found.length}`
}
