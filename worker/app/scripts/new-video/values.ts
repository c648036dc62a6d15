/** Shows one field for each of these values of a preset; what is in a field of the same name stays. */
export function offerValues(form: HTMLFormElement, names: readonly string[]): void {
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
