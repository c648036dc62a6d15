import { breakWords, joined, type LineRule } from '../../../../contract/layout/break-lines.ts'
import { boxPadding, captionRoom } from '../../../../contract/layout/caption-room.ts'
import { captionWords, type CaptionWord } from '../../../../contract/layout/caption-words.ts'
import type { Size } from '../../../../contract/layout/element-layout.ts'
import { groupWords } from '../../../../contract/layout/group-words.ts'
import { captionsIn } from '../../../new-video/request/captions-in.ts'
import type { Request } from '../../../new-video/request/build-request.ts'
import { drawnFont } from './drawn-font.ts'

/** What the service has heard. */
export type Said = Parameters<typeof captionWords>[0]

/** Stands where captions will be until it is known what is said. */
const sample: Said = {
  language: 'en',
  segments: [{ startTime: 0, endTime: 4, text: 'Captions will stand here' }],
}
const sampleSecond = 2.2

type Look = ReturnType<typeof captionRoom> & { frame: Size; font: ReturnType<typeof drawnFont> }

/** Captions on the preview: the words, lines and places in which the media worker draws them. */
export class CaptionPreview {
  readonly #place: HTMLElement
  readonly #pen = document.createElement('canvas').getContext('2d')
  #said: Said | undefined
  #isCut: (word: CaptionWord) => boolean = () => false
  #groups: CaptionWord[][] = []
  #look: Look | undefined
  #isUppercase = false
  #seconds = 0
  #shown: readonly CaptionWord[] | undefined

  constructor(place: HTMLElement) {
    this.#place = place
    // Lines are broken again once their letters can be measured.
    document.fonts.addEventListener('loadingdone', () => this.#set())
  }

  update(
    full: Request,
    about: { frame: Size; said: Said | undefined; isCut: (word: CaptionWord) => boolean },
  ): void {
    const captions = captionsIn(full)
    this.#place.hidden = captions === undefined
    this.#said = about.said
    this.#isCut = about.isCut
    this.#look = captions && {
      ...captionRoom(captions, about.frame),
      frame: about.frame,
      font: drawnFont(captions.font),
    }
    if (!captions || !this.#look) return
    this.#isUppercase = captions.uppercase === true
    const { style = 'plain', color = '#FFFFFF' } = captions
    const percent = (pixels: number) => `${(pixels / about.frame.height) * 100}cqh`
    const box = captions.background ?? (style === 'box' ? '#000000C0' : undefined)
    const values = {
      letters: percent(this.#look.fontSize),
      family: this.#look.font.family,
      weight: this.#look.font.weight,
      fill: color,
      word: captions.highlight ?? (style === 'karaoke' ? '#FFE100' : color),
      box: box ?? 'transparent',
      edge: box === undefined ? '0.18em' : '0',
      across: `${boxPadding.x}em`,
      down: `${boxPadding.y}em`,
    }
    for (const [name, value] of Object.entries(values)) {
      this.#place.style.setProperty(`--${name}`, value)
    }
    this.#set()
  }

  tick(seconds: number): void {
    this.#seconds = seconds
    this.#draw()
  }

  #rule(look: Look): LineRule {
    const widthOf: LineRule['widthOf'] = ({ text, spaced }, beginsLine) => {
      if (!this.#pen) return 0
      this.#pen.font = `${look.font.weight} 100px ${look.font.family}`
      const written = spaced && !beginsLine ? ` ${text}` : text
      return (this.#pen.measureText(written).width / 100) * look.fontSize
    }
    return { maxLines: look.maxLines, maxWidth: look.maxWidth, widthOf }
  }

  /** Sets all words in captions. */
  #set(): void {
    if (!this.#look) return
    const said = this.#said ?? sample
    const words = captionWords(said)
      .filter((word) => !this.#isCut(word))
      .map((word) => (this.#isUppercase ? { ...word, text: word.text.toLocaleUpperCase() } : word))
    const work = groupWords(words, this.#rule(this.#look))
    let step = work.next()
    while (step.done !== true) step = work.next()
    this.#groups = step.value
    this.#shown = undefined
    this.#draw()
  }

  #draw(): void {
    const look = this.#look
    if (!look) return
    const seconds = this.#said ? this.#seconds : sampleSecond
    const group = groupAt(this.#groups, seconds) ?? []
    if (group !== this.#shown) this.#write(group, look)
    this.#shown = group
    const said = group.findLastIndex(({ startTime }) => startTime <= seconds)
    this.#place.querySelectorAll('span').forEach((word, i) => {
      const isSaid = i === said && seconds < (group[i]?.endTime ?? 0)
      word.classList.toggle('said', isSaid)
    })
  }

  #write(group: readonly CaptionWord[], look: Look): void {
    const lines = group.length === 0 ? [] : (breakWords(group, this.#rule(look)) ?? [[...group]])
    const block = document.createElement('div')
    block.style.top = `${(look.topOf(lines.length) / look.frame.height) * 100}%`
    block.append(...lines.map(writeLine))
    this.#place.replaceChildren(block)
  }
}

function writeLine(words: readonly CaptionWord[]): HTMLElement {
  const line = document.createElement('p')
  words.forEach((word, i) => {
    const drawn = document.createElement('span')
    drawn.textContent = joined([word])
    line.append(word.spaced && i > 0 ? ' ' : '', drawn)
  })
  return line
}

/** The caption of this moment; before it and in long pauses, the one that comes next. */
function groupAt(
  groups: readonly CaptionWord[][],
  seconds: number,
): readonly CaptionWord[] | undefined {
  const isOver = (group: readonly CaptionWord[]) => (group.at(-1)?.endTime ?? 0) <= seconds
  return groups.find((group) => !isOver(group)) ?? groups.at(-1)
}
