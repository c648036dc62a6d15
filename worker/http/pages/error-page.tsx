import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { AppError } from '../../contract/errors.ts'
import type { AppEnv } from '../app-env.ts'
import { baseStyle } from './base-style.ts'
import { Brand, PageHead } from './page-head.tsx'
import { pagePolicy } from './page-policy.ts'

const css = `${baseStyle}
body { display: flex; flex-direction: column; min-height: 100vh; }
header { padding: 0.7rem clamp(1rem, 3vw, 2rem); border-bottom: 1px solid var(--line); }
main { flex: 1; padding: 12vh clamp(1rem, 6vw, 4rem) 4rem; max-width: 44rem; }
.status { margin: 0 0 0.5rem; color: var(--soft); }
`

/** Links and stray addresses are opened in browsers, which ask for HTML before all else; the API speaks JSON alone. */
export function isAskedByAPerson(c: Context<AppEnv>): boolean {
  if (/^\/(v1|internal|parts)\//.test(c.req.path)) return false
  const wanted = accepts(c, {
    header: 'Accept',
    supports: ['text/html', 'application/json'],
    default: 'application/json',
  })
  return wanted === 'text/html'
}

/** The same refusal as a page. Its headers are those of the answer so far. */
export async function errorPage(c: Context<AppEnv>, error: AppError): Promise<Response> {
  const [headline = '', ...rest] = error.message.split(/(?<=\.) /)
  const requestId = error.status >= 500 ? c.var.requestId : undefined
  const page = (
    <html lang="en">
      <PageHead title={`${headline} · Spool`} css={css} />
      <body>
        <header>
          <Brand href="/docs" />
        </header>
        <main>
          <p class="status">Error {error.status}</p>
          <h1>{headline}</h1>
          {rest.length > 0 && <p>{rest.join(' ')}</p>}
          {requestId && (
            <p>
              Who runs this service finds more under <code>{requestId}</code>.
            </p>
          )}
        </main>
        <footer>
          This is a Spool video service. How to use it: <a href="/docs">the API reference</a>.
        </footer>
      </body>
    </html>
  )
  c.header('Vary', 'Accept')
  c.header('Content-Security-Policy', await pagePolicy(css))
  return c.html(`<!doctype html>${String(await page)}`, error.status)
}
