import { copyOnClick } from './page/copy-on-click.ts'
import { listenForKeys } from './page/listen-for-keys.ts'
import { showTabs } from './page/show-tabs.ts'
import { watchConnection } from './page/watch-connection.ts'
import { formatAge } from '../design/format-age.ts'

/** Closes a menu by Escape, and by a click beside it. */
function closeMenus(): void {
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

const everyMs = 15_000

/** Keeps "2 min ago" true while the page is open. */
function keepAges(): void {
  setInterval(() => {
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-age]')) {
      const text = formatAge(Date.parse(time.dateTime), Date.now())
      if (time.textContent !== text) time.textContent = text
    }
  }, everyMs)
}

/**
 * A button with `data-dialog` opens that dialog instead of sending its form. What the dialog says is up to date: a page
 * that has to fill it in listens for `opening`.
 */
function openDialogs(): void {
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

/** Tells the service in which time zone the browser is, so that "Today" in the list of videos is the reader's. */
function tellZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const told = `zone=${encodeURIComponent(timeZone)}`
  if (document.cookie.split('; ').includes(told)) return
  document.cookie = `${told}; path=/app; max-age=31536000; SameSite=Lax`
}

closeMenus()
copyOnClick()
keepAges()
listenForKeys()
openDialogs()
showTabs()
tellZone()
watchConnection()
