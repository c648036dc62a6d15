import { formatTimecode } from '../../design/format-seconds.ts'

type Sentence = {
  startTime: number
  text: string
  speaker?: string
  words?: { startTime: number; text: string }[]
}

/** Sentences that are put on the page at a time, so that it answers meanwhile. */
const atOnce = 40

/** Brings the words of a long film that are not on the page yet. */
export function fillSpeech(): void {
  void fill()
  document.addEventListener('refreshed', () => void fill())
}

async function fill(): Promise<void> {
  const list = document.querySelector<HTMLElement>('[data-said][data-more]')
  const { more, rest } = list?.dataset ?? {}
  if (!list || more === undefined) return
  delete list.dataset['more']
  const sentences = await read(more)
  // Without an answer it can be tried again.
  if (!sentences) list.dataset['more'] = more
  else {
    const from = Number(rest)
    append(list, sentences.slice(from), sentences[from - 1]?.speaker)
  }
}

async function read(address: string): Promise<Sentence[] | undefined> {
  try {
    const answer = await fetch(address)
    const told = answer.ok ? ((await answer.json()) as { segments?: Sentence[] }) : {}
    return told.segments
  } catch {
    return undefined
  }
}

/** `before`: who speaks just before these sentences. */
function append(list: HTMLElement, sentences: readonly Sentence[], before?: string): void {
  const [pattern] = list.children
  if (!list.isConnected || !pattern || sentences.length === 0) return
  const now = sentences.slice(0, atOnce)
  list.append(
    ...now.map((one, i) => sentenceLike(pattern, one, i === 0 ? before : now[i - 1]?.speaker)),
  )
  setTimeout(() => append(list, sentences.slice(atOnce), now.at(-1)?.speaker))
}

/** As the service writes one. */
function sentenceLike(
  pattern: Element,
  { startTime, text, words, speaker }: Sentence,
  before: string | undefined,
): Node {
  const item = pattern.cloneNode(true) as Element
  const [time, said] = [item.firstElementChild, item.lastElementChild]
  const shown = formatTimecode(startTime)
  if (time) time.textContent = shown
  if (time instanceof HTMLAnchorElement) {
    time.href = `${time.href.split('#')[0] ?? ''}#t=${startTime}`
    time.dataset['seek'] = String(startTime)
    time.setAttribute('aria-label', `Play from ${shown}`)
  }
  said?.replaceChildren(...(words ?? [{ startTime, text }]).flatMap((one) => [wordOf(one), ' ']))
  if (said && speaker !== undefined && speaker !== before) {
    const name = document.createElement('strong')
    name.textContent = `${speaker}: `
    said.prepend(name)
  }
  return item
}

function wordOf({ startTime, text }: { startTime: number; text: string }): HTMLElement {
  const word = document.createElement('span')
  word.dataset['at'] = String(startTime)
  word.textContent = text
  return word
}
