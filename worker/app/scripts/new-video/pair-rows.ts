import { readTerms, writeTerms } from '../../new-video/request/build-request.ts'
import type { Composer } from './composer.ts'
import { setControl } from './controls.ts'
import { textsIn } from './texts-in.ts'
import { make } from '../page/make.ts'

type TextPair = readonly [name: string, value: string]

/** A text box in which pairs are entered. */
type Pairs = {
  field: string
  add: string
  /** The name that screen readers give the fields of a pair. */
  of: string
  labels: readonly [string, string]
  /** Undefined if the box holds more than pairs of texts. */
  read: (text: string) => TextPair[] | undefined
  write: (pairs: readonly TextPair[]) => string
}

const asJson = (pairs: readonly TextPair[]) =>
  pairs.length === 0 ? '' : JSON.stringify(Object.fromEntries(pairs), undefined, 2)

const metadata: Pairs = {
  field: 'metadata',
  add: 'Add a name',
  of: 'of data of your own',
  labels: ['Name', 'Value'],
  read: textsIn,
  write: asJson,
}

const glossary: Pairs = {
  field: 'captions.glossary',
  add: 'Add a term',
  of: 'in translations',
  labels: ['Say', 'as'],
  read: (text) => textsIn(JSON.stringify(readTerms(text))),
  write: (pairs) => {
    const terms = pairs.map(([name, value]): TextPair => [name.trim(), value.trim() || name.trim()])
    return writeTerms(Object.fromEntries(terms)) ?? asJson(terms)
  },
}

/** Lets pairs of texts be entered in fields. The box is still what is sent, and is shown where it holds more than pairs. */
export function enlivenPairs(composer: Composer): void {
  for (const pairs of [metadata, glossary]) enliven(composer, pairs)
}

function enliven(composer: Composer, pairs: Pairs): void {
  const box = composer.form.querySelector<HTMLTextAreaElement>(`textarea[name="${pairs.field}"]`)
  if (!box) return
  const rows = make('div', { className: 'pairs' })
  const add = make('button', {
    type: 'button',
    className: 'button small',
    textContent: pairs.add,
  })
  box.before(rows, add)
  let shown = ''
  const write = () => {
    const entered = [...rows.children].map((row): TextPair => {
      const [name, value] = row.querySelectorAll('input')
      return [name?.value ?? '', value?.value ?? '']
    })
    shown = pairs.write(entered.filter(([name]) => name !== ''))
    setControl(composer.form, pairs.field, shown)
    composer.changed()
  }
  const addRow = (pair: TextPair): HTMLElement => {
    const row = pairRow(pairs, pair)
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
    const held = inFields(pairs.read(box.value))
    for (const part of [rows, add]) part.hidden = held === undefined
    box.hidden = held !== undefined
    if (!held || box.value === shown) return
    shown = box.value
    rows.replaceChildren()
    for (const pair of held) addRow(pair)
  }
  add.addEventListener('click', () => addRow(['', '']).querySelector('input')?.focus())
  composer.onChange(read)
}

/** The pairs if fields can hold them: a field would drop a line break. */
function inFields(held: TextPair[] | undefined): TextPair[] | undefined {
  return held?.some((pair) => pair.some((text) => /[\r\n]/.test(text))) ? undefined : held
}

function pairRow({ labels, of }: Pairs, pair: TextPair): HTMLElement {
  const row = make('div', { className: 'row' })
  for (const [i, label] of labels.entries()) {
    const input = make('input', {
      className: 'input',
      value: pair[i] ?? '',
      placeholder: label,
      autocomplete: 'off',
    })
    input.setAttribute('aria-label', `${label} ${of}`)
    row.append(input)
  }
  row.append(
    make('button', { type: 'button', className: 'button small quiet', textContent: 'Remove' }),
  )
  return row
}
