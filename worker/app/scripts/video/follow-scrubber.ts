import { onTime, player } from './player.ts'
import { closestTo } from '../page/closest-to.ts'
import { formatTimecode } from '../../design/formats.ts'

/** A small picture on a sheet, and the second of the film up to which it is shown. */
type Glimpse = { to: number; sheet: string; x: number; y: number; width: number; height: number }

/** The lists of small pictures, by address. */
const known = new Map<string, Promise<Glimpse[]>>()

/** Counts requests, so that a list that arrives late is not shown after the pointer has left. */
let asked = 0

/** Shows the small picture at the pointer, the finger or the keyboard's position, and seeks the film to it. */
export function followScrubber(): void {
  for (const name of ['pointermove', 'pointerdown', 'focusin'] as const)
    document.addEventListener(name, begin)
  for (const name of ['pointerout', 'focusout', 'pointerup'] as const)
    document.addEventListener(name, (event) => hide(scrubberOf(event)))
  document.addEventListener('input', (event) => {
    const scrubber = scrubberOf(event)
    const film = player()
    if (!scrubber || !film) return
    const line = lineOf(scrubber)
    const seconds = Number(line.value)
    film.currentTime = seconds
    say(line)
    void glimpse(scrubber, seconds)
  })
  onTime(() => {
    const scrubber = document.querySelector<HTMLElement>('[data-sprite]')
    const film = player()
    if (!scrubber || !film) return
    scrubber.hidden = false
    const line = lineOf(scrubber)
    if (!line.matches(':active')) line.value = String(film.currentTime)
    say(line)
  })
  reveal()
  // The scrubber's film may be added while the page is open.
  document.addEventListener('loadedmetadata', reveal, true)
}

function reveal(): void {
  const scrubber = document.querySelector<HTMLElement>('[data-sprite]')
  if (!scrubber) return
  scrubber.hidden = false
  say(lineOf(scrubber))
}

function scrubberOf({ target }: Event): HTMLElement | null {
  return closestTo(target, '[data-sprite]')
}

function lineOf(scrubber: HTMLElement): HTMLInputElement {
  const line = scrubber.querySelector('input')
  if (!line) throw new Error('A scrubber without its line')
  return line
}

/** Gives screen readers a time; otherwise they would read a percentage. */
function say(line: HTMLInputElement): void {
  line.setAttribute('aria-valuetext', formatTimecode(Number(line.value)))
}

function begin(event: Event): void {
  const scrubber = scrubberOf(event)
  if (!scrubber) return
  const line = lineOf(scrubber)
  // Touch moves the focus after the finger has left the line, which would bring the picture back.
  if (event instanceof FocusEvent && !line.matches(':focus-visible')) return
  const { left, width } = line.getBoundingClientRect()
  const isPointer = event instanceof PointerEvent && width > 0
  const share = isPointer ? Math.min(1, Math.max(0, (event.clientX - left) / width)) : undefined
  void glimpse(scrubber, share === undefined ? Number(line.value) : share * Number(line.max))
}

function hide(scrubber: HTMLElement | null): void {
  const shown = scrubber?.querySelector<HTMLElement>('.glimpse')
  if (!shown) return
  asked++
  shown.hidden = true
}

async function glimpse(scrubber: HTMLElement, seconds: number): Promise<void> {
  const mine = ++asked
  const { sprite: address = '', from = '0' } = scrubber.dataset
  const all = await (known.get(address) ?? load(address)).catch(() => [])
  if (mine !== asked) return
  const shown = all.find(({ to }) => seconds + Number(from) < to) ?? all.at(-1)
  const box = scrubber.querySelector<HTMLElement>('.glimpse')
  const [picture, time] = [box?.querySelector('i'), box?.querySelector('b')]
  if (!shown || !box || !picture || !time) return
  const { sheet, x, y, width, height } = shown
  picture.style.width = `${width}px`
  picture.style.height = `${height}px`
  picture.style.backgroundImage = `url("${sheet}")`
  picture.style.backgroundPosition = `-${x}px -${y}px`
  time.textContent = formatTimecode(seconds)
  box.hidden = false
  const line = lineOf(scrubber)
  const at = (seconds / Math.max(Number(line.max), 0.001)) * line.clientWidth
  box.style.left = `${Math.max(0, Math.min(line.clientWidth - width, at - width / 2))}px`
}

/** Loads a list of small pictures. Without it (a link has expired or a file is gone), the line works without pictures. */
function load(address: string): Promise<Glimpse[]> {
  const loading = fetch(address).then(async (answer) =>
    answer.ok ? read(await answer.text(), address) : [],
  )
  known.set(address, loading)
  return loading
}

function read(text: string, address: string): Glimpse[] {
  return text.split(/\n\s*\n/).flatMap((cue) => {
    const end = /--> (?:(\d+):)?(\d+):([\d.]+)/.exec(cue)
    const place = /^(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/m.exec(cue)
    if (!end || !place) return []
    const [hours = 0, minutes = 0, seconds = 0] = end.slice(1).map((part) => Number(part ?? 0))
    const [x = 0, y = 0, width = 0, height = 0] = place.slice(2).map(Number)
    const sheet = new URL(place[1] ?? '', address).href
    return [{ to: hours * 3600 + minutes * 60 + seconds, sheet, x, y, width, height }]
  })
}
