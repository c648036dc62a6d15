/**
 * Calls what `begin` returns for each move of the pointer until it is released. `begin` returns undefined where there is
 * nothing to drag.
 */
export function dragging(
  element: HTMLElement,
  begin: (event: PointerEvent) => ((moved: PointerEvent) => void) | undefined,
): void {
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    const move = begin(event)
    if (!move) return
    // Without this, the browser would select text or scroll.
    event.preventDefault()
    if (event.target instanceof HTMLElement) event.target.focus({ preventScroll: true })
    element.setPointerCapture(event.pointerId)
    const end = () => {
      element.removeEventListener('pointermove', move)
      element.removeEventListener('pointerup', end)
      element.removeEventListener('pointercancel', end)
    }
    element.addEventListener('pointermove', move)
    element.addEventListener('pointerup', end)
    element.addEventListener('pointercancel', end)
  })
}
