import type { VideoRecord } from '../../../contract/video/video-record.ts'
import { ApiError } from '../../../../client/src/errors.ts'
import { callApi, announce } from '../page/call-api.ts'
import { refresh } from '../page/refresh.ts'
import { player } from './player.ts'
import { closestTo } from '../page/closest-to.ts'
import { make } from '../page/make.ts'
import { write } from '../page/write.ts'

/** Lets the reader rename a speaker in the transcript. */
export function nameSpeakers(): void {
  document.addEventListener('click', (event) => {
    const name = closestTo(event.target, '[data-who]')
    if (!name || !formOf()) return
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
const inputsOf = (form: HTMLFormElement, name: string) => [
  ...form.querySelectorAll<HTMLInputElement>(`input[name=${name}]`),
]
const fieldsOf = (form: HTMLFormElement) => inputsOf(form, 'name')
const valuesOf = (form: HTMLFormElement, name: string) =>
  inputsOf(form, name).map(({ value }) => value)

/** Replaces a name by a field until Enter or Escape is pressed or the reader clicks elsewhere. */
function enter(name: HTMLElement): void {
  const before = name.dataset['who'] ?? ''
  const size = Math.max(12, before.length)
  const field = make('input', { className: 'input who', value: before, autocomplete: 'off', size })
  field.setAttribute('aria-label', `A name for ${before}`)
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
  const were = valuesOf(form, 'was')
  for (const [i, field] of fieldsOf(form).entries()) if (were[i] === before) field.value = name
  await save(form)
}

/** Sends only the names changed on this page: another page may have changed others since. */
async function save(form: HTMLFormElement): Promise<void> {
  const [heard, were, entered] = ['heard', 'was', 'name'].map((name) => valuesOf(form, name))
  const changed = (heard ?? []).flatMap((who, i) => {
    const name = entered?.[i]?.trim() ?? ''
    return name === were?.[i]?.trim() ? [] : [[who, name || null] as const]
  })
  write('[data-fault]', '', form)
  const { video = '' } = document.querySelector<HTMLElement>('[data-video]')?.dataset ?? {}
  const path = `/videos/${video}`
  const speakerNames = Object.fromEntries(changed)
  let told
  try {
    told = (await callApi(path, { method: 'PATCH', body: { speakerNames } })) as VideoRecord
  } catch (error) {
    return tell(form, whyNotSaved(error))
  }
  const now = namesIn(told)
  const after = (heard ?? []).map((who) => now.get(who) ?? who)
  try {
    await show(told, were ?? [], after)
    announce('The names are saved.')
  } catch {
    tell(form, 'The names are saved. Load this page again to see them everywhere.')
  }
}

function tell(form: HTMLFormElement, what: string): void {
  write('[data-fault]', what, form)
  form.closest('details')?.setAttribute('open', '')
}

function whyNotSaved(error: unknown): string {
  if (error instanceof ApiError) return error.faults[0]?.message ?? error.message
  const why = navigator.onLine ? 'the service does not answer' : 'you are offline'
  return `Not saved: ${why}. Press “Save names” to try it again.`
}

/** The present name of each voice, by the name that the job gave it. */
function namesIn({ transcript }: VideoRecord): Map<string, string> {
  const speakers = transcript?.speakers ?? []
  return new Map(
    speakers.flatMap(({ name, heardAs = [name] }) => heardAs.map((who) => [who, name] as const)),
  )
}

/** Shows new names without replacing the page's words, which may be hours of speech. */
async function show(
  { transcript }: VideoRecord,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  // Where one name becomes two, the page cannot tell the speakers apart.
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
