import { closestTo } from '../page/closest-to.ts'
import { moveByKey } from '../page/move-by-key.ts'
const key = 'spool-language'

/** Shows every example in one language, on this page and on those opened later. */
export function rememberLanguage(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.many')]
  groups.forEach(name)
  const remembered = readChoice()
  if (remembered !== null) choose(groups, remembered)
  for (const group of groups) {
    group.addEventListener('click', (event) => {
      const tab = closestTo(event.target, '[role=tab]')
      if (tab) chooseAt(groups, tab)
    })
    group.addEventListener('keydown', (event) => moveByKey(tabsOf(group), event))
  }
}

/** Ties each tab to its panel, for screen readers. */
function name(group: HTMLElement, at: number): void {
  for (const tab of tabsOf(group)) {
    const panel = panelOf(group, tab.dataset['lang'])
    if (!panel) continue
    panel.id = `example-${at}-${tab.dataset['lang']}`
    tab.id = `tab-${panel.id}`
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    tab.tabIndex = tab.getAttribute('aria-selected') === 'true' ? 0 : -1
  }
}

const tabsOf = (group: HTMLElement) => [...group.querySelectorAll<HTMLElement>('[role=tab]')]
const panelOf = (group: HTMLElement, lang: string | undefined) =>
  group.querySelector<HTMLElement>(`.code[data-lang="${lang}"]`)

function choose(groups: readonly HTMLElement[], lang: string): void {
  for (const group of groups) {
    if (!panelOf(group, lang)) continue
    for (const tab of tabsOf(group)) {
      const isChosen = tab.dataset['lang'] === lang
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      panelOf(group, tab.dataset['lang'])?.classList.toggle('shown', isChosen)
    }
  }
}

/** Examples above may change their height; the page scrolls so that the clicked tab stays in place. */
function chooseAt(groups: readonly HTMLElement[], tab: HTMLElement): void {
  const lang = tab.dataset['lang'] ?? ''
  const before = tab.getBoundingClientRect().top
  choose(groups, lang)
  scrollBy(0, tab.getBoundingClientRect().top - before)
  keepChoice(lang)
}

// Browsers that store nothing throw.
function readChoice(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function keepChoice(lang: string): void {
  try {
    localStorage.setItem(key, lang)
  } catch {
    // The choice then holds for this page only.
  }
}
