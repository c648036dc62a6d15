import type { Size } from '../../../../contract/layout/element-layout.ts'
import { type Choices, valueAt } from '../../../new-video/request/build-request.ts'
import {
  holdText,
  movedBy,
  placeOverlay,
  widenedBy,
  type OverlayBox,
  lookOf,
} from '../../../new-video/request/place-overlay.ts'
import type { Composer } from '../composer.ts'
import { dragging } from './dragging.ts'
import { drawnFont } from './drawn-font.ts'
import { setControl } from '../controls.ts'
import { closestTo } from '../../page/closest-to.ts'
import { make } from '../../page/make.ts'

const nouns: Readonly<Record<string, string>> = { video: 'clip', gif: 'GIF', blur: 'blurred part' }

/** The elements on top of the clip, as boxes that can be moved and widened. */
export class Overlays {
  readonly #composer: Composer
  readonly #place: HTMLElement
  #frame: Size = { width: 1280, height: 720 }

  constructor(composer: Composer, place: HTMLElement) {
    this.#composer = composer
    this.#place = place
    dragging(place, (event) => this.#begin(event))
    place.addEventListener('keydown', (event) => this.#press(event))
    place.addEventListener('focusin', ({ target }) => this.#mark(target))
    place.addEventListener('focusout', () => this.#mark(null))
    document.fonts.addEventListener('loadingdone', () => this.update())
  }

  /** The size of the finished picture in pixels. */
  set frame(size: Size) {
    this.#frame = size
  }

  get frame(): Size {
    return this.#frame
  }

  update(): void {
    const elements = this.#elements()
    const shown = elements.flatMap((element, i) => (element['type'] === 'audio' ? [] : [i]))
    const boxes = [...this.#place.children]
    for (const box of boxes.slice(shown.length)) box.remove()
    while (this.#place.children.length < shown.length) this.#place.append(drawnBox())
    shown.forEach((index, i) => {
      const box = this.#place.children[i]
      const element = elements[index]
      if (!(box instanceof HTMLElement) || !element) return
      box.dataset['index'] = String(index)
      this.#draw(box, element, index)
    })
  }

  #elements(): Choices[] {
    const { elements } = this.#composer.full
    return Array.isArray(elements) ? (elements as Choices[]) : []
  }

  #draw(box: HTMLElement, element: Choices, index: number): void {
    const isText = element['type'] === 'text'
    const picture = this.#pictureOf(element)
    const { left, top, width, height } = placeOverlay(element, this.#frame, picture)
    const type = String(element['type'])
    const name = `${nouns[type] ?? type} ${index + 1}`
    const said = isText ? element['text'] : undefined
    const shown = typeof said === 'string' && said !== '' ? said : name
    const label = box.querySelector('span')
    if (label && label.textContent !== shown) label.textContent = shown
    box.classList.toggle('said', isText)
    if (isText) holdAs(box, element)
    else {
      Object.assign(box.style, {
        left: `${left}%`,
        top: `${top}%`,
        width: `${width}%`,
        height: `${height}%`,
        maxWidth: '',
        translate: '',
      })
    }
    const fit = valueAt(element, 'size.fit') === 'cover' ? 'cover' : 'contain'
    box.style.background = picture ? `center / ${fit} no-repeat url("${picture.src}")` : ''
    if (label) label.hidden = picture !== undefined
    if (label && isText) writeText(label, element, this.#frame)
    else label?.removeAttribute('style')
    box.classList.toggle('blurred', element['type'] === 'blur')
    Object.assign(box.style, lookOf(element, { width, height }, this.#frame))
    box.style.zIndex = String(typeof element['zIndex'] === 'number' ? element['zIndex'] : 0)
    const where = `${Math.round(left)} % from the left, ${Math.round(top)} % from the top, ${Math.round(width)} % wide`
    box.setAttribute(
      'aria-label',
      `${name}: ${where}. Arrow keys move it, plus and minus change its width.`,
    )
  }

  #boxOf(target: EventTarget | null): { index: number; box: OverlayBox } | undefined {
    const drawn = closestTo(target, '.overlay')
    const index = Number(drawn?.dataset['index'] ?? -1)
    const element = this.#elements()[index]
    if (!element || !drawn) return undefined
    const isText = element['type'] === 'text'
    const box = placeOverlay(element, this.#frame, this.#pictureOf(element))
    return { index, box: isText ? this.#measure(drawn) : box }
  }

  #pictureOf({ type, url }: Choices): OverlayPicture | undefined {
    const isPicture = type === 'image' || type === 'gif'
    return isPicture ? pictureAt(String(url), () => this.update()) : undefined
  }

  /** Measures a text in the browser, which alone knows how large it is. */
  #measure(drawn: HTMLElement): OverlayBox {
    const [whole, box] = [this.#place.getBoundingClientRect(), drawn.getBoundingClientRect()]
    return {
      left: ((box.left - whole.left) / whole.width) * 100,
      top: ((box.top - whole.top) / whole.height) * 100,
      width: (box.width / whole.width) * 100,
      height: (box.height / whole.height) * 100,
    }
  }

  #begin(event: PointerEvent): ((moved: PointerEvent) => void) | undefined {
    const held = this.#boxOf(event.target)
    if (!held) return undefined
    const isGrip = event.target instanceof Element && event.target.matches('.grip')
    const { width, height } = this.#place.getBoundingClientRect()
    return ({ clientX, clientY }) => {
      const across = ((clientX - event.clientX) / width) * 100
      const down = ((clientY - event.clientY) / height) * 100
      if (isGrip) this.#widen(held.index, held.box, across)
      else this.#move(held.index, held.box, { across, down })
    }
  }

  #press(event: KeyboardEvent): void {
    const held = this.#boxOf(event.target)
    if (!held || event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey ? 10 : 1
    const moves: Readonly<Record<string, [number, number]>> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    }
    const [across, down] = moves[event.key] ?? []
    if (across !== undefined && down !== undefined)
      this.#move(held.index, held.box, { across, down })
    else if (event.key === '+' || event.key === '=') this.#widen(held.index, held.box, 1)
    else if (event.key === '-') this.#widen(held.index, held.box, -1)
    else return
    event.preventDefault()
  }

  #move(index: number, box: OverlayBox, by: { across: number; down: number }): void {
    const { x, y } = movedBy(box, by.across, by.down)
    const { form } = this.#composer
    setControl(form, `elements[${index}].position.anchor`, '')
    setControl(form, `elements[${index}].position.x`, x)
    setControl(form, `elements[${index}].position.y`, y)
    this.#composer.changed()
  }

  #widen(index: number, box: OverlayBox, by: number): void {
    setControl(this.#composer.form, `elements[${index}].size.width`, widenedBy(box, by))
    this.#composer.changed()
  }

  /** Highlights the item of the form that the box belongs to. */
  #mark(target: EventTarget | null): void {
    for (const item of document.querySelectorAll('.item.marked')) item.classList.remove('marked')
    const held = this.#boxOf(target)
    if (held) document.getElementById(`field-elements[${held.index}]`)?.classList.add('marked')
  }
}

/** Makes a text as wide as its longest line, up to the width that it may have. */
function holdAs(box: HTMLElement, element: Choices): void {
  const { left, top, across, down } = holdText(element)
  const widest = valueAt(element, 'size.width') ?? '90%'
  Object.assign(box.style, {
    left: `${left}%`,
    top: `${top}%`,
    width: 'max-content',
    height: 'auto',
    maxWidth: typeof widest === 'string' ? widest : '90%',
    translate: `-${across}% -${down}%`,
  })
}

/** Draws a text as the video will have it. Lengths are in per cent of the frame's height, for which CSS has a unit. */
function writeText(label: HTMLElement, element: Choices, frame: Size): void {
  const { fontSize, color, background, align, lineHeight, outline, shadow, font } = element
  const text = (value: unknown, usual = '') => (typeof value === 'string' ? value : usual)
  const pixels = typeof fontSize === 'number' ? fontSize : partOf(fontSize ?? '6%') * frame.height
  const ofFont = (length: unknown, usual: string) =>
    typeof length === 'number' ? length / pixels : partOf(length ?? usual)
  const { width = '8%', color: edge } = asObject(outline)
  const { distance, blur, color: cast } = asObject(shadow)
  const stroke = outline ? ofFont(width, '8%') : 0
  const [away, soft] = shadow ? [ofFont(distance, '6%'), ofFont(blur, '6%')] : [0, 0]
  const padding = background === undefined ? 0 : ofFont(element['padding'], '30%')
  // The margin that the media worker leaves around the letters.
  const margin = Math.max(stroke + 0.12, shadow ? stroke + away + soft * 3 : 0, padding)
  const { family, weight } = drawnFont(font)
  Object.assign(label.style, {
    fontFamily: family,
    fontWeight: weight,
    fontSize: `${(pixels / frame.height) * 100}cqh`,
    lineHeight: String(typeof lineHeight === 'number' ? lineHeight : 1.25),
    textAlign: text(align, 'center'),
    color: text(color, '#FFFFFF'),
    background: text(background),
    borderRadius: '0.15em',
    padding: `${padding}em`,
    margin: `${margin - padding}em`,
    textShadow: shadow ? `${away}em ${away}em ${soft}em ${text(cast, '#000000A0')}` : '',
  })
  label.style.setProperty('--edge', `${stroke * 2}em`)
  label.style.webkitTextStrokeColor = text(edge)
  hugLines(label)
}

/** Narrows a box to its longest line; CSS leaves a box with broken lines as wide as it may be. */
function hugLines(label: HTMLElement): void {
  label.style.width = ''
  const text = document.createRange()
  text.selectNodeContents(label)
  const widths = [...text.getClientRects()].map(({ width }) => width)
  // Half a pixel more, so that the last word of a line stays on it.
  label.style.width = `${Math.max(0, ...widths) + 0.5}px`
}

const asObject = (value: unknown): Choices =>
  typeof value === 'object' && value !== null ? (value as Choices) : {}

const partOf = (percent: unknown): number => Number.parseFloat(String(percent)) / 100

function drawnBox(): HTMLElement {
  const box = make('button', { type: 'button', className: 'overlay' })
  box.append(make('span'), make('i', { className: 'grip' }))
  return box
}

/** Pictures chosen from this machine, by the addresses that stand for them in the request. */
export const pickedPictures = new Map<string, string>()

type OverlayPicture = { readonly src: string; readonly width: number; readonly height: number }
const seen = new Map<string, OverlayPicture | undefined>()

/** A picture that the page may show: from this machine or this service. Undefined until it has loaded; then `onSeen` is called. */
function pictureAt(address: string, onSeen: () => void): OverlayPicture | undefined {
  const isOwn = URL.parse(address)?.origin === location.origin
  const src = pickedPictures.get(address) ?? (isOwn ? address : undefined)
  if (src === undefined || seen.has(src)) return src === undefined ? undefined : seen.get(src)
  seen.set(src, undefined)
  const image = new Image()
  image.addEventListener('load', () => {
    seen.set(src, { src, width: image.naturalWidth, height: image.naturalHeight })
    onSeen()
  })
  image.src = src
  return undefined
}
