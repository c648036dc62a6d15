/**
 * A button with `data-dialog` opens that dialog instead of sending its form. What the dialog says is up to date: a page
 * that has to fill it in listens for `opening`.
 */
export function openDialogs(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    const opener = event.target.closest<HTMLElement>('[data-dialog]')
    if (opener) {
      const dialog = document.getElementById(opener.dataset['dialog'] ?? '')
      if (!(dialog instanceof HTMLDialogElement)) return
      event.preventDefault()
      dialog.dispatchEvent(new CustomEvent('opening', { detail: opener }))
      dialog.showModal()
    } else if (event.target instanceof HTMLDialogElement && event.target.open) {
      // A click on the dialog itself is one beside its content.
      if (isOutside(event.target, event)) event.target.close()
    }
  })
}

function isOutside(dialog: HTMLDialogElement, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
