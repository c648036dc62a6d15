import { callApi, announce } from '../page/call-api.ts'
import { leaveOut } from '../../new-video/request/build-request.ts'
import { presetOf, type Composer } from './composer.ts'
import { write } from '../page/write.ts'

const usualHint = 'A preset fills in the options; what you change afterwards stays changed.'

/** Lets a preset fill in the options, saves the options as a preset, and deletes presets of the account. */
export function enlivenPresets(composer: Composer): void {
  const root = composer.form.querySelector<HTMLElement>('[data-presets]')
  if (!root) return
  let before = composer.preset
  composer.onChange(() => {
    before = composer.preset
    const chosen = chosenIn(root)
    write('[data-preset-hint]', chosen?.dataset['description'] ?? usualHint, root)
    showDelete(root, chosen)
  })
  showDelete(root, chosenIn(root))
  root.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'preset') return
    composer.startFrom(target.value === '' ? undefined : presetOf(target), before)
  })
  // The composer would take the choice of a preset for a change of an option.
  root.addEventListener('input', (event) => event.stopPropagation())
  root
    .querySelector('[data-keep-preset]')
    ?.addEventListener('click', () => void keep(composer, root))
  root
    .querySelector('[data-delete-preset]')
    ?.addEventListener('click', () => void remove(composer, root))
  root.querySelector('#preset-name')?.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter') return
    event.preventDefault()
    void keep(composer, root)
  })
}

function chosenIn(root: HTMLElement): HTMLInputElement | undefined {
  return root.querySelector<HTMLInputElement>('[name=preset]:checked') ?? undefined
}

function showDelete(root: HTMLElement, chosen: HTMLInputElement | undefined): void {
  const button = root.querySelector<HTMLElement>('[data-delete-preset]')
  if (button) button.hidden = chosen?.dataset['builtIn'] !== 'false'
}

/** The options stay as they are, so that a preset that was deleted by mistake is saved again with two clicks. */
async function remove(composer: Composer, root: HTMLElement): Promise<void> {
  const chosen = chosenIn(root)
  if (!chosen) return
  const name = chosen.value
  const fault = root.querySelector<HTMLElement>('[data-preset-fault]')
  if (fault) fault.hidden = true
  try {
    await callApi(`/presets/${encodeURIComponent(name)}`, { method: 'DELETE' })
    const options = Object.entries(leaveOut(composer.full, 'preset', 'values'))
    // Without the preset nothing fills in its placeholders.
    const filledIn = options.filter(([, value]) => !JSON.stringify(value).includes('{{'))
    chosen.closest('.card')?.remove()
    composer.show(Object.fromEntries(filledIn), 'controls')
    chosenIn(root)?.focus()
    const told = `The preset ${name} is deleted. Its options are still chosen.`
    write('[data-preset-hint]', told, root)
    announce(told)
  } catch (error) {
    if (fault) tellFault(fault, error)
  }
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
    tellFault(fault, error)
    field.focus()
  }
}

function tellFault(fault: HTMLElement, error: unknown): void {
  fault.textContent = error instanceof Error ? error.message : String(error)
  fault.hidden = false
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
  radio.dataset['builtIn'] = 'false'
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
