import { formatTimecode } from '../../../design/formats.ts'
import type { Composer } from '../composer.ts'
import { CaptionPreview } from './caption-preview.ts'
import { offerFonts } from './drawn-font.ts'
import { Film } from './film.ts'
import { HeardWords } from './heard-words.ts'
import { overlaySpans, cutSpans } from './overlay-spans.ts'
import { Overlays } from './overlays.ts'
import { showBars, showFade, showPicture } from './picture-look.ts'
import { leftOf } from './left-words.ts'
import { PreviewTimeline } from './timeline.ts'
import { type Section, shaded, speedOf, takenAway } from './cut-ranges.ts'
import { besideResult } from './shown-in.ts'
import { closestTo } from '../../page/closest-to.ts'

const unplayable =
  'This browser cannot show this file; Spool may still be able to read it. Enter what to cut in seconds.'
const nothing = 'Choose a file to see it here, in the shape that you ask for.'
const elsewhere =
  'Only your own files and those of this service are shown here. A video from elsewhere is made just the same.'

/** The chosen clip as the video will look: turned, in its new shape, with the elements on top and without the cuts. */
export class Preview {
  readonly #composer: Composer
  readonly #root: HTMLElement
  readonly #frame: HTMLElement
  readonly #clip: HTMLVideoElement
  readonly #timeline: PreviewTimeline
  readonly #times: PreviewTimeline
  readonly #overlays: Overlays
  readonly #film: Film
  readonly #heard: HeardWords
  readonly #captions: CaptionPreview
  #file: string | undefined
  #address: string | undefined

  constructor(composer: Composer, root: HTMLElement) {
    this.#composer = composer
    this.#root = root
    this.#frame = this.#find('[data-frame]')
    this.#clip = this.#find('[data-clip]')
    this.#timeline = new PreviewTimeline(this.#find('[data-ranges]'), cutSpans(composer))
    this.#times = new PreviewTimeline(
      this.#find('[data-times]'),
      overlaySpans(composer, () => this.#cutClip()),
    )
    this.#overlays = new Overlays(composer, this.#find('[data-overlays]'))
    this.#film = new Film(this.#find('[data-film]'))
    this.#heard = new HeardWords(composer, root)
    offerFonts()
    this.#captions = new CaptionPreview(composer, this.#find('[data-sample]'))
    this.#listen()
    composer.onChange(() => this.#update())
  }

  /** Shows a file from this machine, or none. The file does not leave the page for that. */
  show(file: File | undefined): void {
    if (this.#file !== undefined) URL.revokeObjectURL(this.#file)
    this.#file = file && URL.createObjectURL(file)
    this.#open(this.#file)
  }

  /** The chosen source if this page may show it: a file from this machine, or one that the service still has. */
  #wanted(): string | undefined {
    const { source, full } = this.#composer
    if (source === 'upload') return this.#file
    const { fileUrl, sourceVideoId } = full
    if (source === 'again' && this.#heard.isOf(sourceVideoId)) return this.#file
    if (source === 'again') return `/app/videos/${String(sourceVideoId)}/source`
    const isOwn = source === 'address' && URL.parse(String(fileUrl))?.origin === location.origin
    return isOwn ? String(fileUrl) : undefined
  }

  #open(address: string | undefined): void {
    this.#address = address
    this.#lit(false)
    this.#heard.clear()
    this.#say('')
    if (this.#address === undefined) this.#clip.removeAttribute('src')
    else this.#clip.src = this.#address
    this.#clip.load()
  }

  #find<Found extends HTMLElement>(selector: string): Found {
    const found = this.#root.querySelector<Found>(selector)
    if (!found) throw new Error(`The preview has no ${selector}`)
    return found
  }

  #listen(): void {
    const clip = this.#clip
    const seek = this.#find<HTMLInputElement>('[data-seek]')
    clip.addEventListener('loadedmetadata', () => {
      if (!Number.isFinite(clip.duration) || clip.videoWidth === 0) return this.#say(unplayable)
      seek.max = String(clip.duration)
      this.#timeline.duration = clip.duration
      this.#times.duration = clip.duration
      this.#lit(true)
      if (this.#address !== undefined) {
        this.#film.show(this.#address, clip.duration, clip.videoWidth / clip.videoHeight)
      }
      this.#tick(seek)
      this.#update()
      this.#heard.recall()
    })
    clip.addEventListener('error', () => {
      if (this.#address !== undefined) this.#say(unplayable)
    })
    clip.addEventListener('timeupdate', () => this.#tick(seek))
    clip.addEventListener('seeked', () => this.#showBars())
    for (const name of ['play', 'pause', 'ended']) {
      clip.addEventListener(name, () => {
        this.#find('[data-play]').textContent = clip.paused ? 'Play' : 'Pause'
      })
    }
    seek.addEventListener('input', () => (clip.currentTime = Number(seek.value)))
    this.#root.addEventListener('click', ({ target }) => {
      const button = closestTo(target, 'button')
      if (button?.dataset['play'] !== undefined) this.#toggle()
      const edge = button?.dataset['cut']
      if (edge) this.#timeline.cut(edge === 'start' ? 'startTime' : 'endTime', clip.currentTime)
    })
  }

  #toggle(): void {
    if (!this.#clip.paused) return this.#clip.pause()
    this.#clip.play().catch(() => this.#say(unplayable))
  }

  #tick(seek: HTMLInputElement): void {
    const { currentTime, duration, paused } = this.#clip
    const clip = this.#cutClip()
    const cut = [...clip.cuts, ...besideResult(this.#composer.full, clip)].find(
      ({ startTime, endTime }) => startTime <= currentTime && currentTime < endTime,
    )
    // Cuts are skipped while the clip plays; a reader who seeks by hand still sees them.
    if (cut && !paused) this.#clip.currentTime = Math.min(cut.endTime, duration)
    seek.value = String(currentTime)
    this.#heard.tick(currentTime)
    this.#fade()
    this.#showBars()
    this.#captions.tick(currentTime)
    seek.setAttribute('aria-valuetext', formatTimecode(currentTime))
    const clock = `${formatTimecode(currentTime)}.${Math.floor((currentTime % 1) * 10)} of ${formatTimecode(duration)}`
    this.#find('[data-clock]').textContent = clock
  }

  #lit(isLit: boolean): void {
    this.#frame.classList.toggle('lit', isLit)
    this.#find('[data-player]').hidden = !isLit
    if (isLit) return
    this.#timeline.duration = 0
    this.#times.duration = 0
    this.#film.clear()
  }

  #say(text: string): void {
    this.#find('[data-frame-note]').textContent = text
  }

  /**
   * Before a clip is first played, it shows where the chosen part begins, or its first caption, so that the reader sees the
   * choice.
   */
  #goToStart(outside: readonly Section[]): void {
    const clip = this.#clip
    const before = outside.find(({ startTime }) => startTime === 0)
    const first = before?.endTime ?? this.#captions.first
    if (first !== undefined && clip.paused && clip.currentTime === 0) clip.currentTime = first
  }

  #update(): void {
    const wanted = this.#wanted()
    if (wanted !== this.#address) this.#open(wanted)
    const { full, source } = this.#composer
    const isElsewhere = source === 'address' && full['fileUrl'] !== undefined
    this.#find('[data-frame-empty]').textContent = isElsewhere ? elsewhere : nothing
    const frame = showPicture(this.#frame, this.#clip, full)
    this.#frame.style.setProperty('--ratio', (frame.width / frame.height).toFixed(4))
    this.#clip.style.objectFit = fits[String(full['resizeMode'])] ?? 'cover'
    // Taken from the request and not from the clip, whose colours may be changed.
    const { backgroundColor, resizeMode } = full
    const hasBars = resizeMode === 'contain' && typeof backgroundColor === 'string'
    this.#frame.style.background = hasBars ? backgroundColor : ''
    const { duration } = this.#clip
    const heard = this.#heard.cuts
    const away = this.#away()
    this.#clip.playbackRate = speedOf(full)
    const outside = [...away, ...besideResult(full, this.#cutClip())]
    this.#find('[data-ranges]').style.background = shaded(outside, duration)
    this.#overlays.frame = frame
    this.#overlays.update()
    this.#showBars()
    this.#captions.update({
      frame,
      said: this.#heard.said,
      cuts: { ...heard, said: [...heard.said, ...away] },
      duration,
    })
    this.#goToStart(outside)
    this.#timeline.update()
    this.#times.update()
    this.#fade()
  }

  #showBars(): void {
    const bars = this.#find<HTMLCanvasElement>('[data-bars]')
    showBars(bars, this.#clip, this.#composer.full, this.#overlays.frame)
  }

  /** Fades the picture; fades count in the time of the finished film. */
  #fade(): void {
    const { duration, cuts, speed } = this.#cutClip()
    const kept = leftOf(cuts)
    showFade(this.#find('[data-fade]'), this.#composer.full, {
      seconds: kept.placeOf(this.#clip.currentTime) / speed,
      filmSeconds: kept.placeOf(duration) / speed,
    })
  }

  #cutClip() {
    const { full } = this.#composer
    const { said, pauses } = this.#heard.cuts
    const cuts = [...said, ...pauses, ...this.#away()]
    return { duration: this.#clip.duration, cuts, speed: speedOf(full) }
  }

  #away() {
    const { duration } = this.#clip
    return Number.isFinite(duration) ? takenAway(this.#composer.full, duration) : []
  }
}

const fits: Readonly<Record<string, string>> = {
  cover: 'cover',
  contain: 'contain',
  stretch: 'fill',
}
