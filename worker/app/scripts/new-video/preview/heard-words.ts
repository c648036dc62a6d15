import type {
  TranscriptRecord,
  VideoAccepted,
  VideoRecord,
} from '../../../../contract/video/video-record.ts'
import { sayLeft } from '../../../../contract/video/say-left.ts'
import { formatSeconds } from '../../../design/formats.ts'
import { fieldOfSource } from '../../../new-video/request/choose-source.ts'
import { pollWhileVisible } from '../../page/poll-while-visible.ts'
import { callApi } from '../../page/call-api.ts'
import type { CaptionedSpeech } from './caption-preview.ts'
import type { Composer } from '../composer.ts'
import { rangesIn, type Section } from './cut-ranges.ts'
import { struckBy, type LeftOut } from './left-words.ts'
import { listsIn, setItems } from '../lists.ts'
import { setControl } from '../controls.ts'
import { spanOf, withCut, withoutCut } from './strike-words.ts'
import type { Suggestion } from '../../../../contract/job/report.ts'
import { closestTo } from '../../page/closest-to.ts'
import { make } from '../../page/make.ts'
import { write } from '../../page/write.ts'
import type { TimedText } from '../../../../contract/captions/caption-words.ts'

const everyMs = 1000
const field = 'removeSegments'

/**
 * The words and pauses of the chosen clip, which the service finds without making a video. Pauses are drawn on the strip; words
 * can be struck out, which cuts them.
 */
export class HeardWords {
  readonly #composer: Composer
  readonly #root: HTMLElement
  #words: readonly TimedText[] = []
  #said: TranscriptRecord | undefined
  #suggestions: readonly Suggestion[] = []
  /** Counts the clips, so that the words of one are not shown for the next. */
  #turn = 0
  #isWaiting = false
  /** The video that was created to listen to the clip, and now owns its file. */
  #videoId: string | undefined
  #last = 0

  constructor(composer: Composer, root: HTMLElement) {
    this.#composer = composer
    this.#root = root
    this.#find('[data-listen]').addEventListener('click', () => void this.listen())
    const words = this.#find('[data-words]')
    words.addEventListener('click', (event) => this.#strike(event))
    words.addEventListener('keydown', (event) => this.#walk(event))
    composer.onChange(() => this.#update())
  }

  /** Whether the clip that was listened to is the file of this video. */
  isOf(videoId: unknown): boolean {
    return this.#videoId !== undefined && this.#videoId === videoId
  }

  /** Forgets everything, because another clip is shown. */
  clear(): void {
    this.#turn++
    this.#words = []
    this.#said = undefined
    this.#suggestions = []
    this.#isWaiting = false
    this.#videoId = undefined
    this.#find('[data-words]').replaceChildren()
    this.#find('[data-words]').hidden = true
    this.#find('[data-pauses]').replaceChildren()
    this.#find('[data-listen]').hidden = false
    this.#say('')
  }

  /** The words of the clip; undefined until they are known, or if nobody speaks. */
  get said(): CaptionedSpeech | undefined {
    const { language = 'en', segments } = this.#said ?? {}
    return this.#words.length === 0 || !segments ? undefined : { language, segments }
  }

  /** The cuts made by hand and those that an option makes. */
  get cuts(): LeftOut {
    const { full } = this.#composer
    const asked = this.#suggestions.filter(({ why }) => full[optionFor(why)] === true)
    return {
      said: [...this.#ranges(), ...asked.filter(({ why }) => why !== 'silence')],
      pauses: asked.filter(({ why }) => why === 'silence'),
    }
  }

  async listen(): Promise<void> {
    const { full, source } = this.#composer
    const given = full[fieldOfSource[source]]
    this.#isWaiting = given === undefined
    if (this.#isWaiting) return this.#say('Begins as soon as the file is there.')
    const turn = this.#turn
    this.#find('[data-listen]').hidden = true
    this.#say('Listening…')
    try {
      const name = document.querySelector('[data-file-name]')?.textContent ?? ''
      const accepted = await callApi('/videos', {
        method: 'POST',
        body: {
          [fieldOfSource[source]]: given,
          analyzeOnly: true,
          ...(source === 'upload' && { videoName: `Words of ${name}`.slice(0, 255) }),
        },
      })
      if (turn !== this.#turn) return
      const { videoId } = accepted as VideoAccepted
      if (source === 'upload') this.#useFileOf(videoId, name)
      this.#follow(videoId, turn, source !== 'upload')
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error))
    }
  }

  /** Marks the word that is being said. */
  tick(seconds: number): void {
    const index = this.#words.findLastIndex(({ startTime }) => startTime <= seconds)
    const shown = this.#find('[data-words]')
    const now = shown.children[index]
    for (const word of shown.querySelectorAll('.now'))
      if (word !== now) word.classList.remove('now')
    now?.classList.add('now')
  }

  /** Shows the words of a file for which an earlier video was only listened to. */
  recall(): void {
    const again = this.#composer.form.querySelector<HTMLElement>('[data-heard-in]')
    const videoId = again?.dataset['heardIn'] ?? ''
    if (videoId === '' || this.#composer.source !== 'again') return
    this.#find('[data-listen]').hidden = true
    this.#follow(videoId, this.#turn)
  }

  /** Has the next video name this one as its source, because the file now belongs to it. */
  #useFileOf(videoId: string, name: string): void {
    this.#videoId = videoId
    const { form } = this.#composer
    setControl(form, 'sourceVideoId', videoId)
    const chip = form.querySelector<HTMLElement>('[data-again]')
    if (chip) chip.hidden = false
    const again = form.querySelector<HTMLElement>('[data-again-file]')
    if (again) again.dataset['againFile'] = name
    const text = form.querySelector('[data-again-text]')
    if (text) text.textContent = `${name} has been sent, and stays here for what you make of it.`
    this.#composer.source = 'again'
    this.#composer.changed()
  }

  /** `isSpare`: only the words of this video are needed, not even its file. */
  #follow(videoId: string, turn: number, isSpare = false): void {
    const path = `/videos/${videoId}`
    let isDone = false
    pollWhileVisible({
      ask: async () => {
        const record = (await callApi(path)) as VideoRecord
        if (turn !== this.#turn || isDone) return
        isDone = record.status !== 'queued' && record.status !== 'running'
        if (record.status === 'succeeded') await this.#show(record, turn)
        else if (isDone) this.#fail(record.errorMessage ?? 'It could not be listened to.')
        else this.#say(sayState(record))
        // If deleting fails, the video stays in the list and can be deleted by hand.
        if (isDone && isSpare) void callApi(path, { method: 'DELETE' }).catch(() => undefined)
      },
      nextMs: () => (isDone || turn !== this.#turn ? undefined : everyMs),
    })
  }

  async #show(record: VideoRecord, turn: number): Promise<void> {
    const { suggestions = [], warnings = [], transcript } = record
    const isHeard = transcript?.status === 'completed'
    const said = isHeard
      ? ((await callApi(`/videos/${record.videoId}/transcript?format=json`)) as TranscriptRecord)
      : undefined
    if (turn !== this.#turn) return
    this.#suggestions = suggestions
    this.#words = (said?.segments ?? []).flatMap((segment) => segment.words ?? [segment])
    this.#find('[data-words]').replaceChildren(...this.#words.map(wordButton))
    this.#find('[data-words]').hidden = this.#words.length === 0
    this.#say([summary(suggestions, this.#words.length), ...warnings].join(' '))
    this.#said = said
    this.#draw()
    this.#composer.changed()
  }

  #draw(): void {
    const { duration } = this.#find<HTMLVideoElement>('[data-clip]')
    const drawn = this.#suggestions.map(({ startTime, endTime, why }) => {
      const part = make('div', { className: 'pause' })
      part.dataset['why'] = optionFor(why)
      part.style.left = `${(startTime / duration) * 100}%`
      part.style.width = `${((endTime - startTime) / duration) * 100}%`
      return part
    })
    this.#find('[data-pauses]').replaceChildren(...drawn)
  }

  #update(): void {
    const { full, source } = this.#composer
    const isThere = full[fieldOfSource[source]] !== undefined
    if (this.#isWaiting && isThere) void this.listen()
    for (const part of this.#find('[data-pauses]').children) {
      if (!(part instanceof HTMLElement)) continue
      part.classList.toggle('goes', full[part.dataset['why'] ?? ''] === true)
    }
    const isStruck = struckBy(this.#ranges())
    ;[...this.#find('[data-words]').children].forEach((button, i) => {
      const word = this.#words[i]
      if (word) button.setAttribute('aria-pressed', String(isStruck(word)))
    })
  }

  #ranges(): Section[] {
    return rangesIn(this.#composer.full[field]).filter((range) => range !== undefined)
  }

  /** Strikes a word out; with Shift, everything since the last one that was struck. */
  #strike({ target, shiftKey }: MouseEvent): void {
    const button = closestTo(target, '.word')
    const index = button ? [...this.#find('[data-words]').children].indexOf(button) : -1
    if (!button || index < 0) return
    const isOn = button.getAttribute('aria-pressed') !== 'true'
    const from = shiftKey ? Math.min(this.#last, index) : index
    const to = shiftKey ? Math.max(this.#last, index) : index
    const [first, last] = [spanOf(this.#words, from), spanOf(this.#words, to)]
    this.#last = index
    if (!first || !last) return
    // The pauses between the words of a phrase are cut with it.
    const span = { startTime: first.startTime, endTime: Math.max(first.endTime, last.endTime) }
    const change = isOn ? withCut : withoutCut
    this.#write(change(this.#ranges(), span))
  }

  #write(ranges: readonly Section[]): void {
    const { form } = this.#composer
    const list = listsIn(form).find(({ dataset }) => dataset['list'] === field)
    if (!list) return
    setItems(list, ranges)
    ranges.forEach(({ startTime, endTime }, i) => {
      setControl(form, `${field}[${i}].startTime`, String(startTime))
      setControl(form, `${field}[${i}].endTime`, String(endTime))
    })
    this.#composer.changed()
  }

  /** One word can be reached by the tab key; arrows move to the others. */
  #walk(event: KeyboardEvent): void {
    const words = [...this.#find('[data-words]').children]
    const at = words.indexOf(event.target as Element)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: words.length - 1 }[event.key]
    const next = at < 0 || to === undefined ? undefined : words[to]
    if (!(next instanceof HTMLElement)) return
    for (const word of words) if (word instanceof HTMLElement) word.tabIndex = -1
    next.tabIndex = 0
    next.focus()
    event.preventDefault()
  }

  #fail(message: string): void {
    this.#find('[data-listen]').hidden = false
    this.#say(`Not heard: ${message}`)
  }

  #say(text: string): void {
    write('[data-heard-state]', text, this.#root)
  }

  #find<Found extends HTMLElement>(selector: string): Found {
    const found = this.#root.querySelector<Found>(selector)
    if (!found) throw new Error(`The preview has no ${selector}`)
    return found
  }
}

/** The option that makes a suggested cut. */
const optionFor = (why: Suggestion['why']) =>
  why === 'silence' ? 'removeSilence' : 'removeFillers'

function sayState(record: VideoRecord): string {
  if (record.status === 'queued') return 'Waiting for its turn…'
  return ['Listening…', sayLeft(record)].filter(Boolean).join(' ')
}

function summary(suggestions: readonly Suggestion[], words: number): string {
  const pauses = suggestions.filter(({ why }) => why === 'silence')
  const seconds = pauses.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
  const found =
    pauses.length === 0
      ? 'No pauses to cut.'
      : `${pauses.length} ${pauses.length === 1 ? 'pause' : 'pauses'}, ${formatSeconds(seconds)} in all, marked on the strip; “Cut the pauses” takes them out.`
  return words === 0 ? `${found} No words were heard.` : `${found} Click a word to cut it.`
}

function wordButton({ text }: TimedText, index: number): HTMLElement {
  return make('button', {
    type: 'button',
    className: 'word',
    tabIndex: index === 0 ? 0 : -1,
    textContent: text.trim(),
  })
}
