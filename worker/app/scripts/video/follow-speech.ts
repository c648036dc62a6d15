import { onTime, playFrom } from './player.ts'

/** Marks the word that is being said, and plays from a word or a time that is clicked. */
export function followSpeech(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey) return
    const said = event.target.closest<HTMLElement>('[data-said] [data-at], [data-said] [data-seek]')
    const at = said?.dataset['at'] ?? said?.dataset['seek']
    if (at === undefined || isSelecting()) return
    event.preventDefault()
    playFrom(Number(at))
  })
  onTime(mark)
}

const isSelecting = () => getSelection()?.type === 'Range'

let marked: Element | undefined

function mark(seconds: number): void {
  const word = wordAt(seconds)
  if (word === marked) return
  marked?.classList.remove('now')
  word?.classList.add('now')
  marked = word
  if (word) keepInView(word)
}

function wordAt(seconds: number): HTMLElement | undefined {
  const words = document.querySelectorAll<HTMLElement>('[data-said] [data-at]')
  let [from, to] = [0, words.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (Number(words[middle]?.dataset['at']) <= seconds) from = middle + 1
    else to = middle
  }
  return words[from - 1]
}

/** Scrolls the list alone, never the page. */
function keepInView(word: HTMLElement): void {
  const list = word.closest<HTMLElement>('[data-said]')
  if (!list || list.matches(':hover')) return
  const [inner, outer] = [word.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return
  list.scrollTop += inner.top - outer.top - outer.height / 3
}
