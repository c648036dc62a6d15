import type { Child } from 'hono/jsx'
import { PageHead, Brand } from './page-head.tsx'
import { guidesPath, referencePath } from '../guides/guide-list.ts'

type FrameProps = {
  title: string
  description: string
  css: string
  /** The place in the banner that the page belongs to. */
  current: string
  /** What the list at the side is called; narrow pages fold it. */
  contents: { label: string; list: Child }
  /** The address of the same page as Markdown. */
  markdown?: string
  footer: Child
  children: Child
}

/** What surrounds every page below /docs. */
export function DocsFrame({ title, description, css, current, contents, ...rest }: FrameProps) {
  const { markdown, footer, children } = rest
  return (
    <html lang="en">
      <PageHead title={title} description={description} css={css}>
        {markdown && <link rel="alternate" type="text/markdown" href={markdown} />}
        <script type="module" src="/scripts/docs.js"></script>
      </PageHead>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <DocsBanner current={current} />
        <div class="columns">
          <nav class="side" aria-label={contents.label}>
            {contents.list}
          </nav>
          <main id="content" tabindex={-1}>
            <details class="contents">
              <summary>{contents.label}</summary>
              <nav aria-label={contents.label}>{contents.list}</nav>
            </details>
            {children}
          </main>
        </div>
        <footer>{footer}</footer>
        <p class="aside" id="announcer" role="status" aria-live="polite"></p>
      </body>
    </html>
  )
}

const places = [
  { href: guidesPath, label: 'Guides' },
  { href: referencePath, label: 'API reference' },
  { href: '/app', label: 'Dashboard' },
]

/** The head of every page below /docs, with the search that scripts bring to life. */
function DocsBanner({ current }: { current: string }) {
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

type PageLink = { title: string; href: string }

/** Links to the pages before and after the one of this address. */
export function Neighbours({ pages, current }: { pages: readonly PageLink[]; current: string }) {
  const at = pages.findIndex(({ href }) => href === current)
  const [former, next] = [pages[at - 1], pages[at + 1]]
  return (
    <nav class="neighbours" aria-label="Before and after">
      {former && (
        <a href={former.href} rel="prev">
          ← {former.title}
        </a>
      )}
      {next && (
        <a href={next.href} rel="next">
          {next.title} →
        </a>
      )}
    </nav>
  )
}
