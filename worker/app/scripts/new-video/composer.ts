import { type Choices, leaveOut, stepsOf } from '../../new-video/request/build-request.ts'
import {
  chooseSource,
  fieldOfSource,
  readSource,
  sourceOf,
  type SourceKind,
} from '../../new-video/request/choose-source.ts'
import {
  isSame,
  shortenRequest,
  spellOut,
  type Preset,
} from '../../new-video/request/shorten-request.ts'
import { readControls, writeControls } from './controls.ts'

/** The form and the request that it stands for. Code that changes one of them calls `changed`. */
export class Composer {
  readonly form: HTMLFormElement
  readonly #defaults: Choices
  /** Fields of the request that no control can show. */
  #extra: Choices = {}
  readonly #listeners: ((from: 'controls' | 'json') => void)[] = []

  constructor(form: HTMLFormElement) {
    this.form = form
    this.#defaults = JSON.parse(form.dataset['defaults'] ?? '{}') as Choices
    form.addEventListener('input', ({ target }) => {
      const name = target instanceof HTMLElement ? target.getAttribute('name') : null
      if (name === null) return
      const [root = ''] = stepsOf(name)
      delete this.#extra[root]
      this.changed()
    })
  }

  get source(): SourceKind {
    return readSource(this.#checked('source')?.value)
  }

  set source(source: SourceKind) {
    const radio = this.form.querySelector<HTMLInputElement>(`[name=source][value=${source}]`)
    if (radio) radio.checked = true
  }

  get preset(): Preset | undefined {
    const radio = this.#checked('preset')
    return radio && radio.value !== '' ? presetOf(radio) : undefined
  }

  /** Every value of the controls, defaults included. */
  get full(): Choices {
    return { ...chooseSource(readControls(this.form), this.source), ...this.#extra }
  }

  /** The request as the page sends it. */
  get request(): Choices {
    return shortenRequest(this.full, this.#defaults, this.preset)
  }

  /** The options alone, without a preset: those that a new preset would save. */
  get options(): Choices {
    const options = leaveOut(this.full, ...Object.values(fieldOfSource), 'videoName', 'values')
    return shortenRequest(options, this.#defaults)
  }

  onChange(listener: (from: 'controls' | 'json') => void): void {
    this.#listeners.push(listener)
  }

  changed(from: 'controls' | 'json' = 'controls'): void {
    for (const listener of this.#listeners) listener(from)
  }

  /** Shows this request in the controls. Values that they cannot show are kept and sent unchanged. */
  show(request: Choices, from: 'controls' | 'json'): void {
    const radios = [...this.form.querySelectorAll<HTMLInputElement>('[name=preset]')]
    const chosen = radios.find(({ value }) => value !== '' && value === request['preset'])
    const radio = chosen ?? radios[0]
    if (radio) radio.checked = true
    offerValues(this.form, this.preset?.values ?? [])
    const full = spellOut(request, this.#defaults, this.preset)
    writeControls(this.form, full)
    const isSourceNamed = Object.values(fieldOfSource).some((name) => name in full)
    if (isSourceNamed) this.source = sourceOf(full)
    else if (full['combine'] === true) this.source = 'several'
    this.#extra = this.#unshown(request, chosen !== undefined)
    this.changed(from)
  }

  /** Starts from another preset, and keeps what the reader has changed. */
  startFrom(preset: Preset | undefined, before: Preset | undefined): void {
    const own = leaveOut(shortenRequest(this.full, this.#defaults, before), 'preset', 'values')
    const values = this.#valuesFor(preset)
    this.show({ ...own, ...(preset ? { preset: preset.name, ...values } : {}) }, 'controls')
  }

  #unshown(request: Choices, isPresetKnown: boolean): Choices {
    const shown = chooseSource(readControls(this.form), this.source)
    const unshown = Object.entries({ ...this.#templates, ...request }).filter(([name, value]) => {
      return name === 'preset' ? !isPresetKnown : !isSame(value, shown[name])
    })
    return Object.fromEntries(unshown)
  }

  /** The placeholders of the chosen preset that stand for numbers and choices, which controls cannot show. */
  get #templates(): Choices {
    const fields = Object.entries(this.preset?.fields ?? {})
    return Object.fromEntries(fields.filter(([, value]) => JSON.stringify(value).includes('{{')))
  }

  /** The values entered so far whose names this preset has, too. */
  #valuesFor(preset: Preset | undefined): Choices {
    const given = Object.entries((this.full['values'] ?? {}) as Choices)
    const known = given.filter(([name]) => preset?.values?.includes(name))
    return known.length === 0 ? {} : { values: Object.fromEntries(known) }
  }

  #checked(name: string): HTMLInputElement | undefined {
    return this.form.querySelector<HTMLInputElement>(`[name=${name}]:checked`) ?? undefined
  }
}

export function presetOf({ value, dataset }: HTMLInputElement): Preset {
  return {
    name: value,
    fields: JSON.parse(dataset['fields'] ?? '{}') as Choices,
    values: JSON.parse(dataset['valuesOf'] ?? '[]') as string[],
  }
}

/** Shows a field for each of these values of a preset; a field of the same name keeps its content. */
function offerValues(form: HTMLFormElement, names: readonly string[]): void {
  const root = form.querySelector<HTMLElement>('[data-values]')
  const list = root?.querySelector('[data-value-fields]')
  const template = root?.querySelector<HTMLTemplateElement>('[data-value-field]')
  if (!root || !list || !template) return
  root.hidden = names.length === 0
  const known = new Map(
    [...list.querySelectorAll('input')].map((input) => [input.name, input.closest('.field')]),
  )
  list.replaceChildren(
    ...names.map((name) => known.get(`values.${name}`) ?? fieldFor(template, name)),
  )
}

function fieldFor(template: HTMLTemplateElement, name: string): Node {
  const field = template.content.firstElementChild?.cloneNode(true)
  if (!(field instanceof Element)) throw new Error('There is no field to copy')
  const [label, input] = [field.querySelector('label'), field.querySelector('input')]
  if (!label || !input) throw new Error('The field has no label or no input')
  label.textContent = name
  input.name = `values.${name}`
  input.id = `field-values.${name}`
  label.htmlFor = input.id
  return field
}
