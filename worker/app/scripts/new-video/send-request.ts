import { isLocalPath } from '../../../contract/addresses/local-path.ts'
import type { VideoAccepted } from '../../../contract/video/video-record.ts'
import {
  fieldOfSource,
  type SourceKind,
  atSource,
  missing,
} from '../../new-video/request/choose-source.ts'
import { asJson } from '../../request-code.ts'
import { ApiError } from '../../../../client/src/errors.ts'
import { callApi } from '../page/call-api.ts'
import type { Composer } from './composer.ts'
import { isRequestBroken } from './request-panel.ts'
import { clearFaults, showFaults } from './show-faults.ts'
import type { UploadPanel } from './upload/upload-panel.ts'
import { isUnanswered } from './upload/upload.ts'
import { write } from '../page/write.ts'

const offline = 'Not created: you are offline. Press the button again once you are back.'

/** "Create video": waits for the upload if there is one, sends the request once, and shows its faults. */
export class RequestSender {
  readonly #composer: Composer
  readonly #panel: UploadPanel
  readonly #button: HTMLButtonElement | null
  #isAsked = false
  #isSending = false
  /** The idempotency key: the same request sent again makes no second video; a changed one gets another key. */
  #key = { request: '', value: '' }

  constructor(composer: Composer, panel: UploadPanel) {
    this.#composer = composer
    this.#panel = panel
    this.#button = composer.form.querySelector<HTMLButtonElement>('#create')
    composer.form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.create()
    })
  }

  async create(): Promise<void> {
    if (this.#isSending) return
    clearFaults()
    if (isRequestBroken()) {
      document.querySelector<HTMLElement>('#tab-json')?.click()
      document.querySelector<HTMLElement>('#request-json')?.focus()
      return this.#say('The JSON cannot be read; see below it.')
    }
    const upload = this.#composer.source === 'upload' ? this.#panel.state : undefined
    this.#isAsked = upload !== undefined && upload.phase !== 'ready' && upload.phase !== 'failed'
    if (this.#isAsked) return this.#say('The video is created as soon as the file is there.')
    this.#say('')
    const { request, source } = this.#composer
    const field = fieldOfSource[source]
    if (request[field] === undefined && source === 'upload') return this.#panel.ask()
    const message = faultOfSource(request[field], source)
    if (message !== undefined) return showFaults([{ field, message }])
    if (!navigator.onLine) return this.#say(offline)
    await this.#send()
  }

  /** Called when the upload has changed: the request may have been waiting for it. */
  uploadChanged(): void {
    const phase = this.#panel.state?.phase
    if (!this.#isAsked) return
    if (phase === 'ready') void this.create()
    if (phase === undefined || phase === 'failed') {
      this.#isAsked = false
      this.#say('')
    }
  }

  async #send(): Promise<void> {
    this.#busy(true)
    this.#say('Creating…')
    try {
      const { request } = this.#composer
      const headers = { 'Idempotency-Key': this.#keyFor(asJson(request)) }
      const answer = await callApi('/videos', { method: 'POST', body: request, headers })
      this.#panel.done()
      this.#composer.form.dispatchEvent(new Event('created'))
      location.assign(`/app/videos/${(answer as VideoAccepted).videoId}`)
    } catch (error) {
      this.#busy(false)
      this.#explain(error)
    }
  }

  #keyFor(request: string): string {
    if (this.#key.request !== request) {
      const bytes = crypto.getRandomValues(new Uint8Array(16))
      const value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      this.#key = { request, value }
    }
    return this.#key.value
  }

  #explain(error: unknown): void {
    if (error instanceof ApiError && error.faults.length > 0) {
      const { source } = this.#composer
      this.#say('Not created: see what has to be changed.')
      return showFaults(
        error.faults.map(({ path, message }) => atSource({ field: path, message }, source)),
      )
    }
    if (isUnanswered(error)) {
      return this.#say(
        navigator.onLine
          ? 'Not created: the service does not answer. Press the button again; it makes one video only.'
          : offline,
      )
    }
    if (error instanceof ApiError && error.status === 401) {
      return this.#say(
        'You are signed out. Sign in again in another tab, then press the button again.',
      )
    }
    this.#say(`Not created: ${error instanceof Error ? error.message : String(error)}`)
  }

  #busy(isBusy: boolean): void {
    this.#isSending = isBusy
    this.#button?.setAttribute('aria-busy', String(isBusy))
    if (!isBusy) this.#button?.removeAttribute('aria-busy')
  }

  #say(text: string): void {
    write('#state', text)
  }
}

/** The fault that the page can find by itself; the service judges everything else. */
export function faultOfSource(value: unknown, source: SourceKind): string | undefined {
  if (value === undefined) return missing[source]
  if (source !== 'address' || typeof value !== 'string') return undefined
  if (isLocalPath(value))
    return 'This is a file on your own disk. Choose “A file” above to send it.'
  return /^(https?|storage):\/\//i.test(value.trim())
    ? undefined
    : 'Enter a whole address, such as https://example.com/talk.mp4'
}
