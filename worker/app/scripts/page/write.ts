/** Writes a text into a place of the page, unless it stands there already: screen readers would read it once more. */
export function write(selector: string, text: string, within: ParentNode = document): void {
  const place = within.querySelector(selector)
  if (place && place.textContent !== text) place.textContent = text
}
