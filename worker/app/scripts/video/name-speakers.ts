import type { VideoRecord } from '../../../contract/video/video-record.ts'
import { callApi } from '../page/call-api.ts'
import { announce } from '../page/announce.ts'
import { refresh } from '../page/refresh.ts'
import { player } from './player.ts'

/** Lets the name of a speaker be changed where it stands in the transcript. */
export function nameSpeakers(): void {
  document.addEventListener('click', (event) => {
    const name = event.target instanceof Element ? event.target.closest('[data-who]') : null
    if (!(name instanceof HTMLElement) || !formOf()) return
    event.preventDefault()
    enter(name)
  })
  document.addEventListener('submit', (event) => {
    const form = formOf()
    if (!form || event.target !== form) return
    event.preventDefault()
    void save(form)
  })
}

const formOf = () => document.querySelector<HTMLFormElement>('form[data-speakers]')
const fieldsOf = (form: HTMLFormElement) => [
  ...form.querySelectorAll<HTMLInputElement>('input[name=name]'),
]

/** Puts a field in the place of a name, until Enter or Escape is pressed or something else is clicked. */
function enter(name: HTMLElement): void {
  const field = document.createElement('input')
  const before = name.dataset['who'] ?? ''
  Object.assign(field, { className: 'input who', value: before, autocomplete: 'off' })
  field.setAttribute('aria-label', `A name for ${before}`)
  field.size = Math.max(12, before.length)
  name.replaceWith(field)
  field.focus()
  field.select()
  const end = (value: string) => {
    field.removeEventListener('blur', leave)
    field.replaceWith(name)
    name.focus({ preventScroll: true })
    if (value !== '' && value !== before) void rename(before, value)
  }
  const leave = () => end(field.value.trim())
  field.addEventListener('blur', leave)
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') end(field.value.trim())
    else if (event.key === 'Escape') end('')
    else return
    event.preventDefault()
    event.stopPropagation()
  })
}

async function rename(before: string, name: string): Promise<void> {
  const form = formOf()
  if (!form) return
  for (const field of fieldsOf(form)) if (nameIn(field) === before) field.value = name
  await save(form)
}

/** What the speaker of a field is called now; the field may have been changed since. */
const nameIn = (field: HTMLInputElement) => field.defaultValue

async function save(form: HTMLFormElement): Promise<void> {
  const fields = fieldsOf(form)
  const heard = [...form.querySelectorAll<HTMLInputElement>('input[name=heard]')]
  const after = heard.map(({ value }, i) => fields[i]?.value.trim() || value)
  const speakerNames = Object.fromEntries(heard.map(({ value }, i) => [value, after[i]]))
  const fault = form.querySelector('[data-fault]')
  if (fault) fault.textContent = ''
  const { video = '' } = document.querySelector<HTMLElement>('[data-video]')?.dataset ?? {}
  try {
    const told = await callApi(`/videos/${video}`, { method: 'PATCH', body: { speakerNames } })
    await show(told as VideoRecord, fields.map(nameIn), after)
    announce('The names are saved.')
  } catch (error) {
    if (fault) fault.textContent = error instanceof Error ? error.message : String(error)
    form.closest('details')?.setAttribute('open', '')
  }
}

/** What hours of speech have on the page stays there: only names change, and the files that have them. */
async function show(
  { transcript }: VideoRecord,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  // What was one name and becomes two cannot be told apart on the page.
  const isSplit = before.some((name, i) => after[before.indexOf(name)] !== after[i])
  if (isSplit) return location.reload()
  let last = ''
  for (const name of document.querySelectorAll<HTMLElement>('[data-said] [data-who]')) {
    const old = name.dataset['who'] ?? ''
    const now = after[before.indexOf(old)] ?? old
    name.dataset['who'] = now
    name.textContent = now
    if (now === last) name.closest('strong')?.remove()
    last = now
  }
  const track = player()?.querySelector('track')
  if (track && transcript?.vttUrl !== undefined) track.src = transcript.vttUrl
  await refresh(['menu', 'speakers'])
}
