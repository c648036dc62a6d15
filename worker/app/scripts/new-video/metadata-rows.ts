import type { Composer } from './composer.ts'
import { setControl } from './controls.ts'
import { textsIn } from './texts-in.ts'

/**
 * Lets data of one's own be entered as names and values. The box of JSON stays what is sent; it is shown where it holds more
 * than texts.
 */
export function enlivenMetadata(composer: Composer): void {
  const box = composer.form.querySelector<HTMLTextAreaElement>('textarea[name=metadata]')
  if (!box) return
  const rows = document.createElement('div')
  rows.className = 'pairs'
  const add = document.createElement('button')
  Object.assign(add, { type: 'button', className: 'button small', textContent: 'Add a name' })
  box.before(rows, add)
  let shown = ''
  const write = () => {
    const pairs = [...rows.children].map((row) =>
      [...row.querySelectorAll('input')].map(({ value }) => value),
    )
    const named = pairs.filter(([name]) => name !== '')
    shown = named.length === 0 ? '' : JSON.stringify(Object.fromEntries(named), null, 2)
    setControl(composer.form, 'metadata', shown)
    composer.changed()
  }
  const addRow = (name: string, value: string): HTMLElement => {
    const row = pairRow(name, value)
    row.addEventListener('input', (event) => {
      event.stopPropagation()
      write()
    })
    row.querySelector('button')?.addEventListener('click', () => {
      row.remove()
      write()
      add.focus()
    })
    rows.append(row)
    return row
  }
  const read = () => {
    const pairs = textsIn(box.value)
    for (const part of [rows, add]) part.hidden = pairs === undefined
    box.hidden = pairs !== undefined
    if (!pairs || box.value === shown) return
    shown = box.value
    rows.replaceChildren()
    for (const [name, value] of pairs) addRow(name, value)
  }
  add.addEventListener('click', () => addRow('', '').querySelector('input')?.focus())
  composer.onChange(read)
}

function pairRow(name: string, value: string): HTMLElement {
  const row = document.createElement('div')
  row.className = 'row'
  const entries: readonly [string, string][] = [
    ['Name', name],
    ['Value', value],
  ]
  for (const [label, text] of entries) {
    const input = document.createElement('input')
    Object.assign(input, {
      className: 'input',
      value: text,
      placeholder: label,
      autocomplete: 'off',
    })
    input.setAttribute('aria-label', `${label} of data of your own`)
    row.append(input)
  }
  const remove = document.createElement('button')
  Object.assign(remove, { type: 'button', className: 'button small quiet', textContent: 'Remove' })
  row.append(remove)
  return row
}
