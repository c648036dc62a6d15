import { hear, peakOf } from '../../page/hear.ts'
import { make } from '../../page/make.ts'

const framesAcross = 12
const height = 80
/** The share of the strip for pictures; the sound is drawn below. */
const pictureShare = 0.6

/** Draws pictures and the loudness of the clip into the strip as they become known. */
export class Film {
  readonly #canvas: HTMLCanvasElement
  /** Counts the clips, so that nothing begun for one is drawn for the next. */
  #turn = 0

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
  }

  clear(): void {
    this.#turn++
    this.#canvas.width = 0
  }

  /** If pictures or sound cannot be drawn, their part of the strip stays empty: the clip can still be cut. */
  show(address: string, seconds: number, ratio: number): void {
    this.clear()
    const turn = this.#turn
    const { clientWidth } = this.#canvas
    this.#canvas.width = Math.max(1, clientWidth)
    this.#canvas.height = height
    const isOver = () => turn !== this.#turn
    void this.#drawPictures(address, { seconds, ratio, isOver })
    void this.#drawSound(address, isOver)
  }

  async #drawPictures(
    address: string,
    { seconds, ratio, isOver }: { seconds: number; ratio: number; isOver: () => boolean },
  ): Promise<void> {
    const clip = make('video', { muted: true, preload: 'auto', src: address })
    const pen = this.#canvas.getContext('2d')
    const { width } = this.#canvas
    const wide = width / framesAcross
    const tall = height * pictureShare
    for (let i = 0; i < framesAcross && pen; i++) {
      if (!(await seek(clip, ((i + 0.5) / framesAcross) * seconds)) || isOver()) return
      // Cropped to the middle, so that no picture is squashed.
      const crop = Math.min(clip.videoWidth, clip.videoHeight * (wide / tall))
      const high = Math.min(clip.videoHeight, clip.videoWidth / (wide / tall))
      const [left, top] = [(clip.videoWidth - crop) / 2, (clip.videoHeight - high) / 2]
      if (ratio > 0) pen.drawImage(clip, left, top, crop, high, i * wide, 0, wide, tall)
    }
    clip.removeAttribute('src')
  }

  async #drawSound(address: string, isOver: () => boolean): Promise<void> {
    const pen = this.#canvas.getContext('2d')
    const sound = await hear(address)
    if (!sound || !pen || isOver()) return
    const { width } = this.#canvas
    const top = height * pictureShare
    const room = height - top
    pen.fillStyle = getComputedStyle(this.#canvas).color
    const samples = sound.getChannelData(0)
    const each = samples.length / width
    for (let x = 0; x < width; x++) {
      const peak = peakOf(samples, Math.floor(x * each), Math.floor((x + 1) * each))
      const tall = Math.max(1, peak * (room - 4))
      pen.fillRect(x, top + (room - tall) / 2, 1, tall)
    }
  }
}

async function seek(clip: HTMLVideoElement, seconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    clip.addEventListener('seeked', () => resolve(true), { once: true })
    clip.addEventListener('error', () => resolve(false), { once: true })
    clip.currentTime = seconds
  })
}
