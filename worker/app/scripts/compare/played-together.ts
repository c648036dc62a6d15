import type { SharedTime } from '../../compare/line-up.ts'

/** Further apart than this, the source jumps; below it, it plays a little faster or slower. */
const mostApart = 0.15
/** Below this nobody sees a difference. */
const leastApart = 0.03
/** A jump takes its time, and the next one must not begin before. */
const jumpMs = 400

type PlayerParts = {
  source: HTMLVideoElement
  result: HTMLVideoElement
  time: SharedTime
  /** Called with the second of the source that is shown. */
  show: (second: number, isPlaying: boolean) => void
}

/** Plays the result, and the source at the same moments. What was cut out is played alone, where playing begins in it. */
export class PlayedTogether {
  readonly #parts: PlayerParts
  #second = 0
  #playing: 'nothing' | 'both' | 'cut' = 'nothing'
  #heard = 'result'
  #jumpedAt = 0

  constructor(parts: PlayerParts) {
    this.#parts = parts
    parts.result.addEventListener('ended', () => this.#pause())
    parts.source.addEventListener('ended', () => {
      if (this.#playing === 'cut') this.#pause()
    })
    this.seekResult(0)
  }

  hear(heard: string): void {
    this.#heard = heard
    this.#setSound()
  }

  seek(second: number): void {
    const { source, result, time } = this.#parts
    this.#second = second
    source.currentTime = second
    result.currentTime = time.inResult(second)
    if (this.#playing !== 'nothing') this.#play()
    this.#show()
  }

  seekResult(second: number): void {
    this.seek(this.#parts.time.inSource(second))
  }

  toggle(): void {
    if (this.#playing !== 'nothing') {
      this.#pause()
      return
    }
    const { time, result } = this.#parts
    const isOver = time.inResult(this.#second) >= time.line.resultSeconds - 0.05 || result.ended
    if (isOver && !time.cutAt(this.#second)) this.seekResult(0)
    this.#play()
  }

  #play(): void {
    const { source, result, time } = this.#parts
    const isBegun = this.#playing !== 'nothing'
    const isCut = time.cutAt(this.#second) !== undefined && source.error === null
    this.#playing = isCut ? 'cut' : 'both'
    source.playbackRate = isCut ? 1 : time.line.speed
    this.#setSound()
    if (isCut) result.pause()
    // A browser that plays one of them not, or no sound without being asked, shows the rest.
    for (const video of isCut ? [source] : [source, result]) video.play().catch(() => undefined)
    if (!isBegun) requestAnimationFrame(() => this.#follow())
  }

  #pause(): void {
    this.#playing = 'nothing'
    this.#parts.source.pause()
    this.#parts.result.pause()
    this.#show()
  }

  #setSound(): void {
    const { source, result } = this.#parts
    const heard = this.#playing === 'cut' ? 'source' : this.#heard
    source.muted = heard !== 'source'
    result.muted = heard !== 'result'
  }

  #follow(): void {
    if (this.#playing === 'nothing') return
    const { source, result, time } = this.#parts
    if (this.#playing === 'cut') {
      this.#second = source.currentTime
      if (!time.cutAt(this.#second)) this.seek(this.#second)
    } else {
      this.#second = time.inSource(result.currentTime)
      this.#steer()
    }
    this.#show()
    requestAnimationFrame(() => this.#follow())
  }

  /** The result is never touched, so that it sounds as it is. */
  #steer(): void {
    const { source, time } = this.#parts
    if (source.seeking) return
    const late = this.#second - source.currentTime
    const now = performance.now()
    if (Math.abs(late) > mostApart && now - this.#jumpedAt > jumpMs) {
      source.currentTime = this.#second
      this.#jumpedAt = now
      return
    }
    const { speed } = time.line
    const wanted = Math.abs(late) < leastApart ? speed : speed * (1 + 2 * late)
    const rate = Math.min(Math.max(wanted, speed / 2), speed * 2)
    if (Math.abs(rate - source.playbackRate) > 0.01) source.playbackRate = rate
  }

  #show(): void {
    this.#parts.show(this.#second, this.#playing !== 'nothing')
  }
}
