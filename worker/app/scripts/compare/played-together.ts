import type { SharedTime } from '../../compare/line-up.ts'

/** If they are further apart than this (in seconds), the follower jumps; below it, it plays a little faster or slower. */
const mostApart = 0.15
/** A difference below this is not visible. */
const leastApart = 0.03
/** A jump takes this long, and the next one must not begin before. */
const jumpMs = 400

/** The methods that a film, a sound and a moving picture share. */
type Played = Pick<HTMLMediaElement, 'currentTime' | 'ended' | 'muted' | 'pause' | 'play'> &
  Pick<EventTarget, 'addEventListener'>

type PlayerParts = {
  source: HTMLMediaElement
  result: Played
  /** The picture of the result; undefined if the result is only sound. */
  picture: HTMLMediaElement | undefined
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
  readonly #jumpedAt = new Map<HTMLMediaElement, number>()

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
    const { source, result, picture, time } = this.#parts
    this.#second = second
    source.currentTime = second
    for (const one of picture ? [result, picture] : [result])
      one.currentTime = time.inResult(second)
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
    const { source, result, picture, time } = this.#parts
    const isBegun = this.#playing !== 'nothing'
    const isCut = time.cutAt(this.#second) !== undefined && source.error === null
    this.#playing = isCut ? 'cut' : 'both'
    source.playbackRate = isCut ? 1 : time.line.speed
    this.#setSound()
    const ofResult = picture ? [result, picture] : [result]
    if (isCut) for (const one of ofResult) one.pause()
    // A browser that plays one of them not, or no sound without being asked, shows the rest.
    for (const one of isCut ? [source] : [source, ...ofResult]) one.play().catch(() => undefined)
    if (!isBegun) requestAnimationFrame(() => this.#follow())
  }

  #pause(): void {
    this.#playing = 'nothing'
    const { source, result, picture } = this.#parts
    for (const one of [source, result, picture]) one?.pause()
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
    const { source, result, picture, time } = this.#parts
    if (this.#playing === 'cut') {
      this.#second = source.currentTime
      if (!time.cutAt(this.#second)) this.seek(this.#second)
    } else {
      this.#second = time.inSource(result.currentTime)
      this.#steer(source, this.#second, time.line.speed)
      if (picture) this.#steer(picture, result.currentTime, 1)
    }
    this.#show()
    requestAnimationFrame(() => this.#follow())
  }

  /** What sounds of the result is never touched, so that it sounds as it is. */
  #steer(follower: HTMLMediaElement, second: number, speed: number): void {
    if (follower.seeking) return
    const late = second - follower.currentTime
    const now = performance.now()
    if (Math.abs(late) > mostApart && now - (this.#jumpedAt.get(follower) ?? 0) > jumpMs) {
      follower.currentTime = second
      this.#jumpedAt.set(follower, now)
      return
    }
    const wanted = Math.abs(late) < leastApart ? speed : speed * (1 + 2 * late)
    const rate = Math.min(Math.max(wanted, speed / 2), speed * 2)
    if (Math.abs(rate - follower.playbackRate) > 0.01) follower.playbackRate = rate
  }

  #show(): void {
    this.#parts.show(this.#second, this.#playing !== 'nothing')
  }
}
