import { detailOf, progressLine, type ProgressStep } from './progress-line.ts'
import type { Screen } from './screen.ts'
import { textWidth } from './text-width.ts'

const frameMs = 100
/** In a pipe, at most one line in this time, except for something new. */
const plainLineMs = 5000
const eraseLine = '\r\u001b[2K'
const eraseBelow = '\r\u001b[J'
const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'

/**
 * What is going on, on stderr: one line that is drawn again in its place on a terminal, a line now and then in a pipe.
 * Lines about what is done stay.
 */
export class ProgressDisplay {
  readonly #screen: Screen
  readonly #now: () => number
  #step: ProgressStep | undefined
  #drawn = ''
  #tick = 0
  #timer: ReturnType<typeof setInterval> | undefined
  #forgetResize: (() => void) | undefined
  #said = { label: '', atMs: -Infinity, percent: -1 }

  constructor(screen: Screen, now: () => number) {
    this.#screen = screen
    this.#now = now
  }

  show(step: ProgressStep): void {
    this.#step = step
    if (!this.#screen.isLively) return this.#sayPlainly(step)
    if (this.#timer) return
    this.#screen.draw(hideCursor)
    // The cursor must come back even when an exit comes from elsewhere.
    process.once('exit', this.#restore)
    this.#forgetResize = this.#screen.onResize(() => this.#redrawWhole())
    this.#timer = setInterval(() => this.#frame(), frameMs)
    this.#frame()
  }

  /** A line that stays, above what is going on. */
  say(text: string): void {
    this.#erase()
    this.#screen.note(text)
    if (this.#timer) this.#frame()
  }

  /** What was going on is done, as this line says. */
  done(text: string): void {
    this.#step = undefined
    this.say(text)
  }

  stop(): void {
    this.#step = undefined
    if (!this.#timer) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#forgetResize?.()
    this.#erase()
    process.off('exit', this.#restore)
    this.#restore()
  }

  readonly #restore = () => this.#screen.draw(showCursor)

  #frame(): void {
    const columns = this.#screen.noteColumns
    if (!this.#step || columns === undefined) return
    const { isUnicode, notePaint: paint } = this.#screen
    this.#tick++
    const step = { ...this.#step, detail: detailOf(this.#step, this.#now()) }
    this.#drawn = progressLine(step, this.#tick, { columns, isUnicode, paint })
    this.#screen.draw(eraseLine, this.#drawn)
  }

  #erase(): void {
    if (this.#drawn !== '') this.#screen.draw(eraseLine)
    this.#drawn = ''
  }

  /** A terminal that became narrower has broken the line into several. */
  #redrawWhole(): void {
    const columns = this.#screen.noteColumns ?? 80
    const rows = Math.ceil(textWidth(this.#drawn) / Math.max(1, columns))
    const up = rows > 1 ? `\u001b[${rows - 1}A` : ''
    this.#screen.draw(`${up}${eraseBelow}`)
    this.#drawn = ''
    this.#frame()
  }

  #sayPlainly(step: ProgressStep): void {
    const { label, fraction } = step
    const percent = fraction === undefined ? -1 : Math.floor(fraction * 100)
    const nowMs = this.#now()
    const isNew = label !== this.#said.label
    const isDue = percent !== this.#said.percent && nowMs - this.#said.atMs >= plainLineMs
    if (!isNew && !isDue) return
    this.#said = { label, atMs: nowMs, percent }
    const detail = detailOf(step, nowMs)
    const about = [percent < 0 ? '' : `${percent} %`, detail].filter((text) => text !== '')
    this.#screen.note(about.length === 0 ? label : `${label}: ${about.join(', ')}`)
  }
}
