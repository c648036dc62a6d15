import { open } from './controls.ts'

/** Enters a text into the control of a field, and unfolds what it is in. */
export function setControl(form: HTMLFormElement, name: string, text: string): void {
  const control = form.elements.namedItem(name)
  if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) return
  control.value = text
  if (text !== '') open(control)
}
