/** Says something to people who cannot see it happen, when their screen reader pauses. */
export function announce(text: string): void {
  const announcer = document.querySelector('#announcer')
  if (announcer && announcer.textContent !== text) announcer.textContent = text
}
