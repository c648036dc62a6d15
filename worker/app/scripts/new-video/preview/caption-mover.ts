import type { Composer } from '../composer.ts'
import { open } from '../controls.ts'
import { dragging } from './dragging.ts'

const field = 'captions.position'

/** In per cent of the height of the frame. */
type Height = { readonly top: number; readonly middle: number }

/** The captions as one block, which a hand or the arrow keys move up and down. */
export class CaptionMover {
  readonly #composer: Composer
  readonly #frame: HTMLElement
  readonly #block = document.createElement('div')
  #middle = 50

  constructor(composer: Composer, frame: HTMLElement) {
    this.#composer = composer
    this.#frame = frame
    const block = this.#block
    block.className = 'captions-block'
    block.setAttribute('role', 'slider')
    block.setAttribute('aria-orientation', 'vertical')
    block.setAttribute('aria-label', 'Place of the captions. Arrow keys move them up and down.')
    block.setAttribute('aria-valuemin', '0')
    block.setAttribute('aria-valuemax', '100')
    frame.append(block)
    dragging(frame, (event) => this.#begin(event))
    block.addEventListener('keydown', (event) => this.#press(event))
  }

  show(lines: readonly HTMLElement[], { top, middle }: Height): void {
    this.#block.replaceChildren(...lines)
    this.#block.style.top = `${top}%`
    // Between two captions there is nothing to see, but somebody who moves them by keys keeps hold of them.
    this.#block.tabIndex = lines.length === 0 ? -1 : 0
    if (lines.length === 0) return
    this.#middle = middle
    const text = `${Math.round(middle)} % from the top`
    this.#block.setAttribute('aria-valuenow', String(Math.round(middle)))
    this.#block.setAttribute('aria-valuetext', text)
  }

  #begin(event: PointerEvent): ((moved: PointerEvent) => void) | undefined {
    if (!(event.target instanceof Node) || !this.#block.contains(event.target)) return undefined
    this.#block.focus({ preventScroll: true })
    const from = this.#middle
    const { height } = this.#frame.getBoundingClientRect()
    return ({ clientY }) => this.#move(from + ((clientY - event.clientY) / height) * 100)
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey ? 10 : 1
    const by = { ArrowUp: -step, ArrowDown: step }[event.key]
    if (by === undefined) return
    this.#move(this.#middle + by)
    event.preventDefault()
  }

  #move(middle: number): void {
    const radio = [
      ...this.#composer.form.querySelectorAll<HTMLInputElement>('[data-by-hand]'),
    ].find(({ name }) => name === field)
    if (!radio) return
    const y = Math.round(Math.min(100, Math.max(0, middle)) * 10) / 10
    radio.value = JSON.stringify({ y: `${y}%` })
    radio.checked = true
    open(radio)
    this.#composer.changed()
  }
}
