import { make } from '../page/make.ts'

/** Plays a moving picture like a film: a browser offers no way to show a chosen moment of one. */
export class MovingPicture extends EventTarget {
  /** A picture has no sound, but its player need not know that. */
  muted = false
  readonly #seconds: number
  #draw: (second: number) => void = () => undefined
  #from = 0
  /** When it last began to play; undefined while it stands still. */
  #begunAt: number | undefined

  constructor(image: HTMLImageElement, seconds: number) {
    super()
    this.#seconds = seconds
    void this.#load(image)
  }

  get currentTime(): number {
    const passedMs = this.#begunAt === undefined ? 0 : performance.now() - this.#begunAt
    return Math.min(this.#from + passedMs / 1000, this.#seconds)
  }

  set currentTime(second: number) {
    this.#from = second
    if (this.#begunAt !== undefined) this.#begunAt = performance.now()
    this.#draw(second)
  }

  get ended(): boolean {
    return this.currentTime >= this.#seconds
  }

  async play(): Promise<void> {
    if (this.#begunAt === undefined) {
      this.#begunAt = performance.now()
      this.#follow()
    }
    return Promise.resolve()
  }

  pause(): void {
    this.#from = this.currentTime
    this.#begunAt = undefined
  }

  #follow(): void {
    if (this.#begunAt === undefined) return
    this.#draw(this.currentTime)
    if (this.ended) {
      this.pause()
      this.dispatchEvent(new Event('ended'))
    } else requestAnimationFrame(() => this.#follow())
  }

  /** Without a decoder or the file, the browser goes on showing the picture at its own pace. */
  async #load(image: HTMLImageElement): Promise<void> {
    const draw = await drawingOf(image).catch(() => undefined)
    if (draw) this.#draw = draw
    this.#draw(this.currentTime)
  }
}

/** Replaces a picture by a canvas; returns what draws the picture of a given second on it. */
async function drawingOf(image: HTMLImageElement): Promise<((second: number) => void) | undefined> {
  if (!('ImageDecoder' in globalThis)) return undefined
  const { body, headers } = await fetch(image.src)
  if (!body) return undefined
  const decoder = new ImageDecoder({ data: body, type: headers.get('Content-Type') ?? '' })
  await decoder.completed
  const begins: number[] = []
  const canvas = make('canvas', { id: image.id })
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', image.alt)
  const count = decoder.tracks.selectedTrack?.frameCount ?? 0
  for (let frameIndex = 0; frameIndex < count; frameIndex++) {
    const { image: frame } = await decoder.decode({ frameIndex })
    begins.push(frame.timestamp / 1e6)
    Object.assign(canvas, { width: frame.displayWidth, height: frame.displayHeight })
    frame.close()
  }
  image.replaceWith(canvas)
  let [wanted, drawn] = [0, -1]
  const draw = async (): Promise<void> => {
    const frameIndex = wanted
    const { image: frame } = await decoder.decode({ frameIndex })
    const context = canvas.getContext('2d')
    context?.clearRect(0, 0, canvas.width, canvas.height)
    context?.drawImage(frame, 0, 0)
    frame.close()
    drawn = frameIndex
  }
  let isDrawing = false
  return (second) => {
    wanted = Math.max(
      0,
      begins.findLastIndex((begin) => begin <= second + 0.001),
    )
    if (isDrawing) return
    isDrawing = true
    void (async () => {
      while (drawn !== wanted) await draw()
    })().finally(() => (isDrawing = false))
  }
}
