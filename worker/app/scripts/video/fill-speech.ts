import { formatTimecode } from '../../design/formats.ts'
import { sentencesOfList } from '../../videos/panels/sentences-of-list.ts'
import { closestTo } from '../page/closest-to.ts'
import { make } from '../page/make.ts'

type StartedWord = { startTime: number; text: string }
type SpokenSentence = StartedWord & { speaker?: string; words?: StartedWord[] }

/** The words of sentences that stand on the page as one text: tens of thousands of elements would make it slow. */
const unspelled = new WeakMap<Element, readonly StartedWord[]>()

/** Loads the words of a long film that are not on the page yet. */
export function fillSpeech(): void {
  void fill()
  document.addEventListener('refreshed', () => void fill())
  addEventListener('online', () => void fill())
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-read-on]')) void fill()
  })
  // Words get their elements before one can be clicked, by mouse or by finger.
  document.addEventListener('pointerover', ({ target }) => {
    const sentence = closestTo(target, '[data-said] li')
    if (sentence) wrapWords(sentence)
  })
}

/** Gives each word of a sentence an element, if it has none yet. */
export function wrapWords(sentence: Element): void {
  const words = unspelled.get(sentence)
  if (!words) return
  unspelled.delete(sentence)
  sentence.querySelector('[data-at]')?.replaceWith(...words.flatMap((one) => [wordOf(one), ' ']))
}

async function fill(): Promise<void> {
  const list = document.querySelector<HTMLElement>('[data-said][data-more]')
  const { more, rest } = list?.dataset ?? {}
  if (!list || more === undefined) return
  delete list.dataset['more']
  const sentences = await read(more)
  // If the request fails, it can be tried again.
  if (!sentences) list.dataset['more'] = more
  document.querySelector('[data-unread]')?.toggleAttribute('hidden', sentences !== undefined)
  if (sentences) append(list, sentences, Number(rest))
}

async function read(address: string): Promise<SpokenSentence[] | undefined> {
  try {
    const answer = await fetch(address)
    const told = answer.ok ? ((await answer.json()) as { segments?: SpokenSentence[] }) : {}
    return told.segments
  } catch {
    return undefined
  }
}

function append(list: HTMLElement, sentences: readonly SpokenSentence[], from: number): void {
  const pattern = list.querySelector('li')
  if (!list.isConnected || !pattern) return
  if (from >= sentences.length) {
    delete list.dataset['rest']
    document.dispatchEvent(new Event('filled'))
    return
  }
  const part = make('ol')
  const now = sentences.slice(from, from + sentencesOfList)
  part.append(...now.map((one, i) => sentenceLike(pattern, one, sentences[from + i - 1]?.speaker)))
  list.append(part)
  // Yields to the browser before the next list, so that the page stays responsive.
  setTimeout(() => append(list, sentences, from + sentencesOfList))
}

/** A sentence in the markup that the service writes. */
function sentenceLike(
  pattern: Element,
  { startTime, text, words, speaker }: SpokenSentence,
  before: string | undefined,
): Node {
  const item = make('li')
  const time = pattern.firstElementChild?.cloneNode(true)
  const shown = formatTimecode(startTime)
  if (time) time.textContent = shown
  if (time instanceof HTMLAnchorElement) {
    time.href = `${time.href.split('#')[0] ?? ''}#t=${startTime}`
    time.dataset['seek'] = String(startTime)
    time.setAttribute('aria-label', `Play from ${shown}`)
  }
  const said = make('p', { dir: 'auto' })
  if (speaker !== undefined && speaker !== before) said.append(whoSays(speaker))
  said.append(wordOf({ startTime, text }))
  if (time) item.append(time)
  item.append(said)
  if (words) unspelled.set(item, words)
  return item
}

function whoSays(speaker: string): HTMLElement {
  const link = make('a', {
    href: '#speakers',
    className: 'who',
    title: 'Change this name',
    textContent: speaker,
  })
  link.dataset['who'] = speaker
  const name = make('strong')
  name.append(link, ': ')
  return name
}

function wordOf({ startTime, text }: StartedWord): HTMLElement {
  const word = make('span', { textContent: text })
  word.dataset['at'] = String(startTime)
  return word
}
