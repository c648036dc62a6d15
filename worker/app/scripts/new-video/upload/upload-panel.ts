import { formatSeconds, formatBytes } from '../../../design/formats.ts'
import { callApi, announce } from '../../page/call-api.ts'
import type { Composer } from '../composer.ts'
import { judgeFile } from './judge-file.ts'
import { setControl } from '../controls.ts'
import { Upload, type UploadPorts, type UploadState } from './upload.ts'
import { printOf, type RememberedUpload } from './remembered-upload.ts'
import { write } from '../../page/write.ts'

type PanelEvents = {
  chosen: (file: File | undefined) => void
  state: (state: UploadState | undefined) => void
}

/** The place where a file is dropped or chosen, with the progress of its upload. */
export class UploadPanel {
  readonly #composer: Composer
  readonly #root: HTMLElement
  readonly #memory: RememberedUpload
  readonly #ports: UploadPorts
  readonly #told: PanelEvents
  #upload: Upload | undefined
  #announced = -1
  /** The file chosen last. */
  #judged: File | undefined

  constructor(composer: Composer, memory: RememberedUpload, ports: UploadPorts, told: PanelEvents) {
    this.#composer = composer
    this.#memory = memory
    this.#ports = ports
    this.#told = told
    this.#root = composer.form.querySelector<HTMLElement>('[data-upload-panel]') ?? composer.form
    this.#listen()
    this.#recall()
  }

  get state(): UploadState | undefined {
    return this.#upload?.state
  }

  async choose(file: File): Promise<void> {
    this.#composer.source = 'upload'
    this.#composer.changed()
    this.#judged = file
    const fault = await judgeFile(file, Number(this.#root.dataset['mostBytes'] ?? Infinity))
    // Another file was chosen meanwhile.
    if (this.#judged !== file) return
    this.say(fault ?? '')
    const hint = this.#find('[data-drop] p')
    if (fault !== undefined && hint) hint.textContent = 'or drop it here.'
    if (fault === undefined) this.#begin(file)
  }

  /** Shows beside the file picker what is wrong with a file, or that none was chosen. */
  say(fault: string): void {
    write('[data-file-fault]', fault, this.#root)
    const place = this.#find('[data-file-fault]')
    if (place) place.hidden = fault === ''
  }

  /** Asks for the file that a video needs. */
  ask(): void {
    this.say(this.#upload ? 'The file has not been sent yet.' : 'Choose a file first.')
    const input = this.#find<HTMLElement>('#file')
    input?.focus()
    input?.scrollIntoView({ block: 'center' })
  }

  #begin(file: File): void {
    this.#upload?.leave()
    const upload = new Upload(file, this.#ports, (changed) => {
      if (changed === this.#upload) this.#show(changed)
    })
    const known = this.#memory.read()
    if (known?.print === printOf(file)) upload.uploadId = known.uploadId
    this.#upload = upload
    this.#announced = -1
    this.#enter('')
    this.#told.chosen(file)
    void upload.run()
  }

  /** Ends the panel's upload: once a video uses it, it cannot be continued. */
  done(): void {
    this.#memory.forget()
  }

  #listen(): void {
    const input = this.#find<HTMLInputElement>('#file')
    input?.addEventListener('change', () => {
      const file = input.files?.[0]
      if (file) void this.choose(file)
      // Cleared so that the same file can be chosen again.
      input.value = ''
    })
    this.#find('[data-pause]')?.addEventListener('click', () => this.#pauseOrResume())
    this.#find('[data-drop-file]')?.addEventListener('click', () => {
      this.say('')
      this.#remove()
      this.#find<HTMLElement>('#file')?.focus()
    })
    const over = (event: DragEvent, isOver: boolean) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      this.#find('[data-drop]')?.classList.toggle('over', isOver)
    }
    // Catches drops anywhere on the page: otherwise the browser would open the file in place of the page.
    document.addEventListener('dragover', (event) => over(event, true))
    document.addEventListener('dragleave', (event) => over(event, false))
    document.addEventListener('drop', (event) => {
      over(event, false)
      const dropped = event.dataTransfer && droppedFile(event.dataTransfer)
      if (!dropped) return
      if ('file' in dropped) return void this.choose(dropped.file)
      this.#composer.source = 'upload'
      this.#composer.changed()
      this.say(dropped.fault)
    })
  }

  #recall(): void {
    const known = this.#memory.read()
    const hint = this.#find('[data-drop] p')
    if (!known || !hint) return
    hint.textContent =
      known.sentPercent < 100
        ? `${known.fileName} was sent to ${known.sentPercent} %. Choose it again, and the rest is sent.`
        : `${known.fileName} is here already. Choose it again to use it; nothing is sent twice.`
  }

  #pauseOrResume(): void {
    const upload = this.#upload
    if (!upload) return
    const { phase } = upload.state
    if (phase === 'paused' || phase === 'failed') void upload.run()
    else upload.pause()
  }

  #remove(): void {
    const upload = this.#upload
    upload?.leave()
    this.#upload = undefined
    this.#memory.forget()
    this.#enter('')
    if (upload?.uploadId !== undefined) {
      // If that fails, the upload expires after a day.
      callApi(`/uploads/${upload.uploadId}`, { method: 'DELETE' }).catch(() => undefined)
    }
    this.#told.chosen(undefined)
    this.#told.state(undefined)
    this.#toggle(false)
  }

  #enter(uploadId: string): void {
    setControl(this.#composer.form, 'uploadId', uploadId)
    this.#composer.changed()
  }

  #show(upload: Upload): void {
    const { state, file } = upload
    if (state.phase === 'failed' && !state.canBeTriedAgain) {
      this.#remove()
      return this.say(state.message)
    }
    this.#toggle(true)
    this.#find('[data-sending]')?.classList.toggle('ready', state.phase === 'ready')
    write('[data-file-name]', file.name, this.#root)
    write('[data-file-size]', formatBytes(file.size), this.#root)
    const percent = Math.floor((sentIn(state, file.size) / file.size) * 100)
    const bar = this.#find<HTMLProgressElement>('[data-sent]')
    if (bar) bar.value = percent
    write('[data-sending-state]', describe(state, file.size), this.#root)
    this.#showButton(state)
    this.#speak(state, percent)
    this.#keep(upload, percent)
    if (state.phase === 'ready') this.#enter(state.uploadId)
    this.#told.state(state)
  }

  #showButton({ phase }: UploadState): void {
    const button = this.#find<HTMLElement>('[data-pause]')
    if (!button) return
    button.hidden = phase === 'ready' || phase === 'checking'
    button.textContent = { paused: 'Resume', failed: 'Try again' }[phase as 'paused'] ?? 'Pause'
  }

  /** Announces each quarter to screen readers, and anything that stops or ends the upload. */
  #speak(state: UploadState, percent: number): void {
    const step = state.phase === 'sending' ? Math.floor(percent / 25) : state.phase
    if (step === this.#announced || step === 0) return
    this.#announced = step as number
    announce(typeof step === 'number' ? `${step * 25} % sent` : describe(state, 0))
  }

  #keep({ state, uploadId, file }: Upload, sentPercent: number): void {
    if (uploadId === undefined || state.phase === 'failed') return
    this.#memory.keep({ uploadId, fileName: file.name, print: printOf(file), sentPercent })
  }

  #toggle(isSending: boolean): void {
    const [drop, sending] = [this.#find('[data-drop]'), this.#find('[data-sending]')]
    if (drop) drop.hidden = isSending
    if (sending) sending.hidden = !isSending
  }

  #find<Found extends HTMLElement>(selector: string): Found | null {
    return this.#root.querySelector<Found>(selector)
  }
}

/** The one file that was dropped, or why it cannot be taken. Must be called while the event is handled. */
function droppedFile(dropped: DataTransfer): { file: File } | { fault: string } | undefined {
  const items = [...dropped.items].filter(({ kind }) => kind === 'file')
  const folder = items.map((item) => item.webkitGetAsEntry()).find((entry) => entry?.isDirectory)
  if (folder) return { fault: `“${folder.name}” is a folder. Drop a video file instead.` }
  if (items.length > 1) return { fault: 'Drop one file at a time.' }
  const [file] = dropped.files
  return file && { file }
}

function sentIn(state: UploadState, size: number): number {
  if ('sentBytes' in state) return state.sentBytes
  return state.phase === 'ready' || state.phase === 'checking' ? size : 0
}

function describe(state: UploadState, size: number): string {
  switch (state.phase) {
    case 'opening':
      return 'Beginning…'
    case 'sending': {
      const { sentBytes, bytesPerSecond, secondsLeft } = state
      const sent = `${formatBytes(sentBytes)} of ${formatBytes(size)}`
      if (bytesPerSecond === undefined || secondsLeft === undefined) return sent
      return `${sent} · ${formatBytes(bytesPerSecond)}/s · ${formatSeconds(secondsLeft)} left`
    }
    case 'paused':
      return 'Paused. Nothing is lost: it goes on where it stopped, also after a reload.'
    case 'waiting':
      if (state.why !== undefined) return `${state.why} Trying again…`
      return navigator.onLine
        ? 'The service does not answer. Trying again…'
        : 'You are offline. The upload goes on by itself once you are back.'
    case 'checking':
      return 'Sent. Looking at the file…'
    case 'ready':
      return 'Sent.'
    case 'failed':
      return state.message
  }
}
