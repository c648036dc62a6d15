import { formatBytes } from '../../../design/formats.ts'
import type { Composer } from '../composer.ts'
import { setControl } from '../controls.ts'
import { pickedPictures } from '../preview/overlays.ts'
import { Upload, type UploadPorts, type UploadState } from './upload.ts'
import { write } from '../../page/write.ts'
import { closestTo } from '../../page/closest-to.ts'
import { make } from '../../page/make.ts'

const videos = ['video/mp4', 'video/quicktime', 'video/x-msvideo', 'video/avi', 'video/webm']
/** The files accepted for each type of element; files that are joined have no type. */
const accepted: Readonly<Record<string, { types: readonly string[]; names: string }>> = {
  image: {
    types: ['image/png', 'image/jpeg', 'image/webp', 'image/avif'],
    names: 'a JPEG, PNG, WebP or AVIF picture',
  },
  gif: { types: ['image/gif'], names: 'a GIF' },
  audio: {
    types: ['mpeg', 'mp4', 'x-m4a', 'wav', 'x-wav', 'flac', 'x-flac', 'ogg'].map(
      (type) => `audio/${type}`,
    ),
    names: 'a sound as MP3, M4A, WAV, FLAC or OGG',
  },
  video: { types: videos, names: 'an MP4, MOV, AVI or WebM video' },
}

/** Lets a file from this machine be given instead of an address: it is uploaded at once, and the upload becomes the address. */
export function enlivenPicks(composer: Composer, ports: UploadPorts): void {
  const running = new WeakMap<Element, Upload>()
  composer.form.addEventListener('click', ({ target }) => {
    const button = closestTo(target, '[data-pick]')
    const field = button?.closest('.field')
    if (!button || !field) return
    const { types, names } = acceptedIn(field)
    const input = make('input', { type: 'file', accept: types.join() })
    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (!file) return
      running.get(field)?.leave()
      if (!types.includes(file.type)) return say(field, `“${file.name}” is not ${names}.`)
      const upload = new Upload(file, ports, (changed) => {
        if (running.get(field) === changed) show(composer, field, changed)
      })
      running.set(field, upload)
      void upload.run()
    })
    input.click()
  })
}

/** The types accepted for a field, by the type of the item that it belongs to. */
function acceptedIn(field: Element) {
  const fixed = field.closest('[data-item]')?.querySelector<HTMLInputElement>('[data-fixed]')
  return accepted[fixed?.value ?? 'video'] ?? { types: videos, names: 'a video' }
}

function show(composer: Composer, field: Element, { state, file }: Upload): void {
  say(field, describe(state, file))
  const name = field.querySelector('input')?.name
  if (state.phase !== 'ready' || name === undefined) return
  const address = `upload://${state.uploadId}`
  if (file.type.startsWith('image/')) pickedPictures.set(address, URL.createObjectURL(file))
  setControl(composer.form, name, address)
  composer.changed()
}

const say = (field: Element, text: string) => write('[data-picked]', text, field)

function describe(state: UploadState, file: File): string {
  switch (state.phase) {
    case 'ready':
      return `${file.name}, sent.`
    case 'failed':
      return state.message
    case 'waiting':
      return state.why ?? 'The service does not answer. Trying again…'
    case 'sending':
      return `${formatBytes(state.sentBytes)} of ${formatBytes(file.size)}`
    default:
      return `Sending ${file.name}…`
  }
}
