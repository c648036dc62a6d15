import {
  breakWords,
  joined,
  type LineRule,
  captionSpan,
} from '../../../../contract/captions/caption-lines.ts'
import { boxPadding, captionRoom } from '../../../../contract/captions/caption-room.ts'
import { captionWords, type CaptionWord } from '../../../../contract/captions/caption-words.ts'
import type { Size } from '../../../../contract/layout/element-layout.ts'
import { groupWords } from '../../../../contract/captions/group-words.ts'
import type { Captions } from '../../../../contract/options/captions/captions.ts'
import { captionsIn } from '../../../new-video/request/captions-in.ts'
import type { Composer } from '../composer.ts'
import { drawnFont } from './drawn-font.ts'
import { leftOf, wordsLeft, type LeftOut } from './left-words.ts'
import { open } from '../controls.ts'
import { dragging } from './dragging.ts'
import { make } from '../../page/make.ts'

/** The words that the service has heard. */
export type CaptionedSpeech = Parameters<typeof captionWords>[0]

/** A sample that is shown until the words are known. */
const sample: CaptionedSpeech = {
  language: 'en',
  segments: [{ startTime: 0, endTime: 4, text: 'Captions will stand here' }],
}
const sampleSecond = 2.2

type Basis = { frame: Size; said: CaptionedSpeech | undefined; cuts: LeftOut; duration: number }
type Style = ReturnType<typeof captionRoom> & { frame: Size; font: ReturnType<typeof drawnFont> }
type DrawnCaption = ReturnType<typeof captionSpan> & { words: readonly CaptionWord[] }

/** Draws the captions on the preview with the words, lines, places and times that the media worker uses. */
export class CaptionPreview {
  readonly #composer: Composer
  readonly #place: HTMLElement
  readonly #mover: CaptionMover
  readonly #pen = document.createElement('canvas').getContext('2d')
  #about: Basis | undefined
  #captions: DrawnCaption[] = []
  #look: Style | undefined
  #isUppercase = false
  #seconds = 0
  #shown: DrawnCaption | undefined

  constructor(composer: Composer, place: HTMLElement) {
    this.#composer = composer
    this.#place = place
    this.#mover = new CaptionMover(composer, place)
    // Lines are broken again once the fonts are there and letters can be measured.
    document.fonts.addEventListener('loadingdone', () => this.#set())
  }

  /** The second of the clip at which the first caption begins, once the words are known. */
  get first(): number | undefined {
    const [caption] = this.#captions
    if (!this.#about?.said || !this.#look || !caption) return undefined
    const { said, pauses } = this.#about.cuts
    return leftOf([...said, ...pauses]).momentAt(caption.startTime) + 0.01
  }

  update(about: Basis): void {
    const captions = captionsIn(this.#composer.full)
    this.#place.hidden = captions === undefined
    this.#about = about
    this.#look = captions && {
      ...captionRoom(captions, about.frame),
      frame: about.frame,
      font: drawnFont(captions.font),
    }
    if (!captions || !this.#look) return
    this.#isUppercase = captions.uppercase === true
    for (const [name, value] of Object.entries(styleOf(captions, this.#look))) {
      this.#place.style.setProperty(`--${name}`, value)
    }
    this.#set()
  }

  tick(seconds: number): void {
    this.#seconds = seconds
    this.#draw()
  }

  #rule(look: Style): LineRule {
    const widthOf: LineRule['widthOf'] = ({ text, spaced }, beginsLine) => {
      if (!this.#pen) return 0
      this.#pen.font = `${look.font.weight} 100px ${look.font.family}`
      const written = spaced && !beginsLine ? ` ${text}` : text
      return (this.#pen.measureText(written).width / 100) * look.fontSize
    }
    return { maxLines: look.maxLines, maxWidth: look.maxWidth, widthOf }
  }

  /** Divides all words into captions. */
  #set(): void {
    if (!this.#look || !this.#about) return
    const { said, duration } = this.#about
    const cuts = said ? this.#about.cuts : { said: [], pauses: [] }
    const words = wordsLeft(captionWords(said ?? sample), cuts).map((word) =>
      this.#isUppercase ? { ...word, text: word.text.toLocaleUpperCase() } : word,
    )
    const work = groupWords(words, this.#rule(this.#look))
    let step = work.next()
    while (step.done !== true) step = work.next()
    const groups = step.value
    const end = leftOf([...cuts.said, ...cuts.pauses]).placeOf(duration)
    this.#captions = groups.map((group, i) => ({
      words: group,
      ...captionSpan(group, groups[i + 1]?.[0], Number.isNaN(end) ? Infinity : end),
    }))
    this.#shown = undefined
    this.#draw()
  }

  /** The moment of the finished video; undefined while the clip is at a cut. */
  #moment(): number | undefined {
    if (!this.#about?.said) return sampleSecond
    const { said, pauses } = this.#about.cuts
    const left = leftOf([...said, ...pauses])
    return left.distanceTo(this.#seconds) > 0 ? undefined : left.placeOf(this.#seconds)
  }

  #draw(): void {
    const look = this.#look
    if (!look) return
    const now = this.#moment()
    const caption = this.#captions.find(
      ({ startTime, endTime }) => now !== undefined && startTime <= now && now < endTime,
    )
    if (caption === undefined || caption !== this.#shown) this.#write(caption?.words ?? [], look)
    this.#shown = caption
    if (!caption || now === undefined) return
    const said = caption.words.findLastIndex(({ startTime }) => startTime <= now)
    this.#place.querySelectorAll('span').forEach((word, i) => {
      const isSaid = i === said && now < (caption.words[i]?.endTime ?? 0)
      word.classList.toggle('said', isSaid)
    })
  }

  #write(words: readonly CaptionWord[], look: Style): void {
    const lines = words.length === 0 ? [] : (breakWords(words, this.#rule(look)) ?? [[...words]])
    const height = lines.length * look.lineHeight * look.fontSize
    const top = look.topOf(lines.length)
    this.#mover.show(lines.map(writeLine), {
      top: (top / look.frame.height) * 100,
      middle: ((top + height / 2) / look.frame.height) * 100,
    })
  }
}

/** CSS for the captions, in lengths that scale with the preview. */
function styleOf(captions: Captions, look: Style): Record<string, string> {
  const { style = 'plain', color = '#FFFFFF' } = captions
  const box = captions.background ?? (style === 'box' ? '#000000C0' : undefined)
  return {
    letters: `${(look.fontSize / look.frame.height) * 100}cqh`,
    family: look.font.family,
    weight: look.font.weight,
    fill: color,
    word: captions.highlight ?? (style === 'karaoke' ? '#FFE100' : color),
    box: box ?? 'transparent',
    edge: box === undefined ? '0.18em' : '0',
    across: `${boxPadding.x}em`,
    down: `${boxPadding.y}em`,
  }
}

function writeLine(words: readonly CaptionWord[]): HTMLElement {
  const line = make('p')
  words.forEach((word, i) => {
    line.append(word.spaced && i > 0 ? ' ' : '', make('span', { textContent: joined([word]) }))
  })
  return line
}

const field = 'captions.position'

/** In per cent of the height of the frame. */
type Height = { readonly top: number; readonly middle: number }

/** The captions as one block, moved up and down by the pointer or the arrow keys. */
class CaptionMover {
  readonly #composer: Composer
  readonly #frame: HTMLElement
  readonly #block = make('div', { className: 'captions-block' })
  #middle = 50

  constructor(composer: Composer, frame: HTMLElement) {
    this.#composer = composer
    this.#frame = frame
    const block = this.#block
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
    // Between two captions nothing is visible, but a reader who moves them by keys keeps the focus.
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
