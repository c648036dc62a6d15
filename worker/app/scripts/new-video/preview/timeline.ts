import { moveEdge, moveRange, rangeBetween, type SectionEdge, type Section } from './cut-ranges.ts'
import { formatTimecode } from '../../../design/formats.ts'
import { dragging } from './dragging.ts'
import { make } from '../../page/make.ts'

/** The spans that a strip shows, and how a change of them changes the request. */
export type EditableSpans = {
  read: () => (Section | undefined)[]
  write: (index: number, range: Section) => void
  remove: (index: number) => void
  nameOf: (index: number) => string
  /** Adds a span that was drawn on the strip, and returns its index. Absent where none can be added. */
  add?: (range: Section) => number | undefined
}

/** A strip below the clip on which spans are drawn, moved and stretched. */
export class PreviewTimeline {
  readonly #spans: EditableSpans
  readonly #strip: HTMLElement
  #duration = 0

  constructor(strip: HTMLElement, spans: EditableSpans) {
    this.#spans = spans
    this.#strip = strip
    dragging(strip, (event) => this.#begin(event))
    strip.addEventListener('keydown', (event) => this.#press(event))
  }

  set duration(seconds: number) {
    this.#duration = seconds
    this.update()
  }

  get ranges(): (Section | undefined)[] {
    return this.#spans.read()
  }

  /** Draws the ranges of the request. A range that is held or focused keeps its element. */
  update(): void {
    const { ranges } = this
    while (this.#strip.children.length > ranges.length) this.#strip.lastElementChild?.remove()
    while (this.#strip.children.length < ranges.length) {
      this.#strip.append(drawnRange())
    }
    ranges.forEach((range, i) => {
      const drawn = this.#strip.children[i]
      if (!(drawn instanceof HTMLElement)) return
      drawn.hidden = range === undefined || this.#duration === 0
      if (range) this.#place(drawn, range, this.#spans.nameOf(i))
    })
  }

  /** Begins a range here, or ends the last one that is still open. */
  cut(edge: SectionEdge, seconds: number): void {
    const whole = { startTime: 0, endTime: this.#duration }
    const inside = this.ranges.findIndex(
      (range) => range && range.startTime <= seconds && seconds <= range.endTime,
    )
    const range = this.ranges[inside]
    if (range) this.#spans.write(inside, moveEdge(range, edge, seconds, this.#duration))
    else this.#spans.add?.(moveEdge(whole, edge, seconds, this.#duration))
  }

  #place(drawn: HTMLElement, range: Section, name: string): void {
    const percent = (seconds: number) => (Math.min(seconds, this.#duration) / this.#duration) * 100
    drawn.style.left = `${percent(range.startTime)}%`
    drawn.style.width = `${percent(range.endTime) - percent(range.startTime)}%`
    for (const edge of drawn.querySelectorAll<HTMLElement>('[data-edge]')) {
      const seconds = range[edge.dataset['edge'] as SectionEdge]
      drawn.dataset['name'] = name
      const does = edge.dataset['edge'] === 'startTime' ? 'starts' : 'ends'
      edge.setAttribute('aria-label', `${name} ${does}`)
      edge.setAttribute('aria-valuemax', this.#duration.toFixed(2))
      edge.setAttribute('aria-valuenow', String(seconds))
      edge.setAttribute('aria-valuetext', `${formatTimecode(seconds)}, second ${seconds}`)
    }
  }

  #secondAt(x: number): number {
    const { left, width } = this.#strip.getBoundingClientRect()
    return ((x - left) / width) * this.#duration
  }

  #begin(event: PointerEvent): ((moved: PointerEvent) => void) | undefined {
    if (!(event.target instanceof HTMLElement) || this.#duration === 0) return undefined
    const at = this.#secondAt(event.clientX)
    const drawn = event.target.closest<HTMLElement>('.range')
    const index = drawn ? [...this.#strip.children].indexOf(drawn) : -1
    const range = this.ranges[index]
    const edge = event.target.dataset['edge'] as SectionEdge | undefined
    if (!range) return this.#spans.add && this.#draw(at)
    return ({ clientX }) => {
      const to = this.#secondAt(clientX)
      const moved = edge
        ? moveEdge(range, edge, to, this.#duration)
        : moveRange(range, to - at, this.#duration)
      this.#spans.write(index, moved)
    }
  }

  /** A new range is added once the pointer has moved far enough. */
  #draw(from: number): (moved: PointerEvent) => void {
    let index: number | undefined
    return ({ clientX }) => {
      const range = rangeBetween(from, this.#secondAt(clientX), this.#duration)
      if (!range) return
      if (index === undefined) index = this.#spans.add?.(range)
      else this.#spans.write(index, range)
    }
  }

  #press(event: KeyboardEvent): void {
    const handle = event.target
    if (!(handle instanceof HTMLElement) || handle.dataset['edge'] === undefined) return
    const edge = handle.dataset['edge'] as SectionEdge
    const drawn = handle.closest('.range')
    const index = drawn ? [...this.#strip.children].indexOf(drawn) : -1
    const range = this.ranges[index]
    if (!range) return
    if (event.key === 'Delete' || event.key === 'Backspace') this.#spans.remove(index)
    else {
      const to = secondFor(event, range[edge], this.#duration)
      if (to === undefined) return
      this.#spans.write(index, moveEdge(range, edge, to, this.#duration))
    }
    event.preventDefault()
  }
}

/** The second that an arrow key leads to: a tenth further, or a whole second with Shift. */
function secondFor({ key, shiftKey }: KeyboardEvent, from: number, duration: number) {
  const step = shiftKey ? 1 : 0.1
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return from - step
    case 'ArrowRight':
    case 'ArrowUp':
      return from + step
    case 'PageDown':
      return from - 10
    case 'PageUp':
      return from + 10
    case 'Home':
      return 0
    case 'End':
      return duration
    default:
      return undefined
  }
}

function drawnRange(): HTMLElement {
  const drawn = make('div', { className: 'range' })
  const edges: readonly SectionEdge[] = ['startTime', 'endTime']
  for (const edge of edges) {
    const handle = make('div', { className: 'edge', tabIndex: 0 })
    handle.dataset['edge'] = edge
    handle.setAttribute('role', 'slider')
    handle.setAttribute('aria-valuemin', '0')
    drawn.append(handle)
  }
  return drawn
}
