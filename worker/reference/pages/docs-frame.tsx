import type { Child } from 'hono/jsx'
import { Announcer, DocsBanner, DocsScript } from './docs-banner.tsx'
import { PageHead } from './page-head.tsx'

type Frame = {
  title: string
  description: string
  css: string
  /** The place in the banner that the page belongs to. */
  current: string
  /** What the list at the side is called; narrow pages fold it. */
  contents: { label: string; list: Child }
  /** Where the same page is as Markdown. */
  markdown?: string
  footer: Child
  children: Child
}

/** What surrounds every page below /docs. */
export function DocsFrame({ title, description, css, current, contents, ...rest }: Frame) {
  const { markdown, footer, children } = rest
  return (
    <html lang="en">
      <PageHead title={title} description={description} css={css}>
        {markdown && <link rel="alternate" type="text/markdown" href={markdown} />}
        <DocsScript />
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
        <Announcer />
      </body>
    </html>
  )
}
