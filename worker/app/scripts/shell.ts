import { copyOnClick } from './page/copy-on-click.ts'
import { listenForKeys } from './page/listen-for-keys.ts'
import { watchConnection } from './page/poll-while-visible.ts'
import { formatAge } from '../design/formats.ts'
import { closestTo } from './page/closest-to.ts'
import { moveByKey } from './page/move-by-key.ts'

/** Closes menus on Escape, and on a click outside. */
function closeMenus(): void {
  document.addEventListener('click', ({ target }) => closeAll(target))
  document.addEventListener('keydown', ({ key, target }) => {
    if (key !== 'Escape') return
    const menu = closestTo(target, 'details.menu[open]')
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
 * Opens a dialog from a button with `data-dialog`, instead of sending its form. A page that has to fill the dialog in first
 * listens for `opening`.
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
      // A click on the dialog element itself is one beside its content.
      if (isOutside(event.target, event)) event.target.close()
    }
  })
}

function isOutside(dialog: HTMLDialogElement, { clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/** Tells the service the browser's time zone, so that "Today" in the list of videos is the reader's. */
function tellZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const told = `zone=${encodeURIComponent(timeZone)}`
  if (document.cookie.split('; ').includes(told)) return
  document.cookie = `${told}; path=/app; max-age=31536000; SameSite=Lax`
}

/** Turns lists of links to parts of the page into tabs that show one part at a time. */
function showTabs(): void {
  for (const tabs of document.querySelectorAll<HTMLElement>('[data-tabs]')) enliven(tabs)
}

function enliven(tabs: HTMLElement): void {
  const list = tabs.querySelector('.tabs')
  const links = [...tabs.querySelectorAll<HTMLAnchorElement>('.tabs a')]
  list?.setAttribute('role', 'tablist')
  for (const link of links) {
    link.setAttribute('role', 'tab')
    link.setAttribute('aria-controls', link.hash.slice(1))
    panelOf(link)?.setAttribute('role', 'tabpanel')
    link.addEventListener('click', (event) => {
      event.preventDefault()
      choose(links, link)
      history.replaceState(null, '', link.hash)
    })
  }
  list?.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent) moveByKey(links, event)
  })
  const named = links.find((link) => link.hash === location.hash)
  if (named ?? links[0]) choose(links, named ?? links[0])
}

function panelOf(link: HTMLAnchorElement): HTMLElement | null {
  return document.getElementById(link.hash.slice(1))
}

function choose(links: readonly HTMLAnchorElement[], chosen: HTMLAnchorElement | undefined): void {
  for (const link of links) {
    const isChosen = link === chosen
    link.setAttribute('aria-selected', String(isChosen))
    link.tabIndex = isChosen ? 0 : -1
    panelOf(link)?.classList.toggle('open', isChosen)
  }
}

/**
 * The answer to a form has an address that may only take forms. What reads the page again, by itself or because it is reloaded,
 * asks for the page that has the form.
 */
function leavePosted(): void {
  const { posted } = document.body.dataset
  if (posted !== undefined) history.replaceState(null, '', posted)
}

closeMenus()
copyOnClick()
keepAges()
leavePosted()
listenForKeys()
openDialogs()
showTabs()
tellZone()
watchConnection()
