import { wrapWords } from './fill-speech.ts'
import { onTime, playFrom } from './player.ts'

/** Marks the word that is being said, and plays from the word or time that is clicked. */
export function followSpeech(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey) return
    const said = event.target.closest<HTMLElement>(
      '[data-said] [data-at], [data-said] [data-seek], [data-chapters] [data-seek]',
    )
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

/** Finds the list first, then the sentence: searching all words of hours of speech several times a second would be too slow. */
function wordAt(seconds: number): HTMLElement | undefined {
  const lists = document.querySelector('[data-said]')?.children
  const list = lists && lastBefore(lists, seconds, firstWord)
  const sentence = list && lastBefore(list.children, seconds, firstWord)
  if (sentence) wrapWords(sentence)
  const words = sentence?.querySelectorAll<HTMLElement>('[data-at]')
  return words && lastBefore(words, seconds, (word) => word)
}

const firstWord = (part: Element) => part.querySelector<HTMLElement>('[data-at]')

function lastBefore<Item extends Element>(
  items: ArrayLike<Item>,
  seconds: number,
  timed: (item: Item) => HTMLElement | null,
): Item | undefined {
  const startOf = (item: Item | undefined) => Number(item && timed(item)?.dataset['at'])
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (startOf(items[middle]) <= seconds) from = middle + 1
    else to = middle
  }
  return items[from - 1]
}

/** Scrolls only the list, never the page. */
function keepInView(word: HTMLElement): void {
  const list = word.closest<HTMLElement>('[data-said]')
  if (!list || list.matches(':hover')) return
  const [inner, outer] = [word.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return
  list.scrollTop += inner.top - outer.top - outer.height / 3
}
