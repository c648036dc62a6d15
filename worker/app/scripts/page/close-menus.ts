/** Closes a menu by Escape, and by a click beside it. */
export function closeMenus(): void {
  document.addEventListener('click', ({ target }) => closeAll(target))
  document.addEventListener('keydown', ({ key, target }) => {
    if (key !== 'Escape') return
    const menu = target instanceof Element ? target.closest('details.menu[open]') : null
    closeAll(null)
    menu?.querySelector('summary')?.focus()
  })
}

function closeAll(except: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    if (!(except instanceof Node && menu.contains(except))) menu.open = false
  }
}
