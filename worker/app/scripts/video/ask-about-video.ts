/** Fills in what the dialogs ask about. */
export function askAboutVideo(): void {
  const name = document.querySelector<HTMLElement>('[data-video]')?.dataset['name'] ?? ''
  for (const dialog of document.querySelectorAll('#ask-cancel, #ask-delete')) {
    dialog.addEventListener('opening', () => {
      const place = dialog.querySelector('[data-names]')
      if (place) place.textContent = name
    })
  }
}
