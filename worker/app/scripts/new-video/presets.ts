import { callApi, announce } from '../page/call-api.ts'
import { presetOf, type Composer } from './composer.ts'
import { write } from '../page/write.ts'

const usualHint = 'A preset fills in the options; what you change afterwards stays changed.'

/** Lets a preset fill in the options, and saves the options as a preset. */
export function enlivenPresets(composer: Composer): void {
  const root = composer.form.querySelector<HTMLElement>('[data-presets]')
  if (!root) return
  let before = composer.preset
  composer.onChange(() => {
    before = composer.preset
    const chosen = root.querySelector<HTMLInputElement>('[name=preset]:checked')
    write('[data-preset-hint]', chosen?.dataset['description'] ?? usualHint, root)
  })
  root.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'preset') return
    composer.startFrom(target.value === '' ? undefined : presetOf(target), before)
  })
  // The composer would take the choice of a preset for a change of an option.
  root.addEventListener('input', (event) => event.stopPropagation())
  root
    .querySelector('[data-keep-preset]')
    ?.addEventListener('click', () => void keep(composer, root))
  root.querySelector('#preset-name')?.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter') return
    event.preventDefault()
    void keep(composer, root)
  })
}

async function keep(composer: Composer, root: HTMLElement): Promise<void> {
  const field = root.querySelector<HTMLInputElement>('#preset-name')
  const fault = root.querySelector<HTMLElement>('[data-preset-fault]')
  if (!field || !fault) return
  const name = field.value.trim()
  fault.hidden = true
  try {
    const fields = composer.options
    const saved = await callApi(`/presets/${encodeURIComponent(name === '' ? '-' : name)}`, {
      method: 'PUT',
      body: { fields },
    })
    const radio = radioFor(root, name)
    radio.dataset['fields'] = JSON.stringify(fields)
    radio.dataset['valuesOf'] = JSON.stringify(namesIn(saved))
    radio.checked = true
    composer.changed()
    field.value = ''
    announce(`Preset ${name} saved`)
    radio.focus()
  } catch (error) {
    fault.textContent = error instanceof Error ? error.message : String(error)
    fault.hidden = false
    field.focus()
  }
}

function radioFor(root: HTMLElement, name: string): HTMLInputElement {
  const radios = [...root.querySelectorAll<HTMLInputElement>('[name=preset]')]
  const known = radios.find(({ value }) => value === name)
  if (known) return known
  // All presets of the account have the same picture, which the first card shows.
  const card = root.querySelector('.card')?.cloneNode(true)
  if (!(card instanceof HTMLElement)) throw new Error('There is no card to copy')
  const radio = card.querySelector('input')
  const label = card.querySelector('span')
  if (!radio || !label) throw new Error('The card has no radio or no label')
  radio.value = name
  delete radio.dataset['description']
  card.removeAttribute('title')
  label.textContent = name
  root.querySelector('.cards')?.append(card)
  return radio
}

/** The values that the saved preset asks for, as its record lists them. */
function namesIn(saved: unknown): string[] {
  const { values = [] } = saved as { values?: readonly { name: string }[] }
  return values.map(({ name }) => name)
}
