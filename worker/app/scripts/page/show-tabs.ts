/** Turns lists of links to parts of the page into tabs that show one part at a time. */
export function showTabs(): void {
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

const panelOf = (link: HTMLAnchorElement) => document.getElementById(link.hash.slice(1))

function choose(links: readonly HTMLAnchorElement[], chosen: HTMLAnchorElement | undefined): void {
  for (const link of links) {
    const isChosen = link === chosen
    link.setAttribute('aria-selected', String(isChosen))
    link.tabIndex = isChosen ? 0 : -1
    panelOf(link)?.classList.toggle('open', isChosen)
  }
}

function moveByKey(links: readonly HTMLAnchorElement[], event: KeyboardEvent): void {
  const at = links.findIndex((link) => link === document.activeElement)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: links.length - 1 }[event.key]
  if (at === -1 || to === undefined) return
  const link = links[(to + links.length) % links.length]
  event.preventDefault()
  link?.focus()
  link?.click()
}
