import { guidesPath, referencePath } from '../guides/guide-list.ts'
import { Brand } from './page-head.tsx'

const places = [
  { href: guidesPath, label: 'Guides' },
  { href: referencePath, label: 'API reference' },
  { href: '/app', label: 'Dashboard' },
]

/** The head of every page below /docs, with the search that scripts bring to life. */
export function DocsBanner({ current }: { current: string }) {
  return (
    <header class="banner">
      <Brand href={guidesPath} />
      <nav class="places" aria-label="Documentation">
        {places.map(({ href, label }) => (
          <a href={href} aria-current={href === current ? 'true' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="search" role="search">
        <input
          type="search"
          id="search"
          aria-label="Search the documentation"
          aria-controls="found"
          placeholder="Search"
          autocomplete="off"
          spellcheck={false}
        />
        <kbd aria-hidden="true">/</kbd>
        <div id="found" hidden></div>
      </div>
    </header>
  )
}

/** What every page below /docs runs: it works without, but then has no search. */
export function DocsScript() {
  return <script type="module" src="/scripts/docs.js"></script>
}

export function Announcer() {
  return <p class="aside" id="announcer" role="status" aria-live="polite"></p>
}
