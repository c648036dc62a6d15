import { baseStyle } from './base-style.ts'
import { Brand, PageHead } from './page-head.tsx'
import { pagePolicy, type SafePage } from './page-policy.ts'

const css = `${baseStyle}
body { display: flex; flex-direction: column; min-height: 100vh; }
header { padding: 0.7rem clamp(1rem, 3vw, 2rem); border-bottom: 1px solid var(--line); }
main { flex: 1; padding: 12vh clamp(1rem, 6vw, 4rem) 4rem; max-width: 44rem; }
.status { margin: 0 0 0.5rem; color: var(--soft); }
.ways { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; }
`

type ShownError = {
  status: number
  message: string
  requestId: string | undefined
  /** Where a person goes from here. */
  home: { href: string; label: string }
}

/** An error as a page, for a person who reads it in a browser. */
export async function errorPage({
  status,
  message,
  requestId,
  home,
}: ShownError): Promise<SafePage> {
  const [headline = '', ...rest] = message.split(/(?<=\.) /)
  const page = (
    <html lang="en">
      <PageHead title={`${headline} · Spool`} css={css} />
      <body>
        <header>
          <Brand href={home.href} />
        </header>
        <main>
          <p class="status">Error {status}</p>
          <h1>{headline}</h1>
          {rest.length > 0 && <p>{rest.join(' ')}</p>}
          <p class="ways">
            {status >= 500 && <a href="">Try again</a>}
            <a href={home.href}>{home.label}</a>
          </p>
          {requestId && (
            <p>
              The operator of this service can look it up as <code>{requestId}</code>.
            </p>
          )}
        </main>
        <footer>
          This is a Spool video service. How to use it: <a href="/docs">the documentation</a>.
        </footer>
      </body>
    </html>
  )
  return { html: `<!doctype html>${String(await page)}`, policy: await pagePolicy(css) }
}
