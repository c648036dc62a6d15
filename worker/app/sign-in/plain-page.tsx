import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { AppEnv } from '../../http/app-env.ts'
import { baseStyle } from '../../reference/pages/base-style.ts'
import { Brand, PageHead } from '../../reference/pages/page-head.tsx'
import { pagePolicy } from '../../reference/pages/page-policy.ts'

const css = `${baseStyle}
header { padding: 0.7rem clamp(1rem, 3vw, 2rem); border-bottom: 1px solid var(--line); }
main { padding: 8vh clamp(1rem, 6vw, 4rem) 4rem; max-width: 44rem; }
`

/** A page of one column. Its forms may post to this service only. */
export async function showPlainPage(
  c: Context<AppEnv>,
  title: string,
  children: Child,
): Promise<Response> {
  const page = (
    <html lang="en">
      <PageHead title={`${title} · Spool`} css={css} />
      <body>
        <header>
          <Brand href="/app" />
        </header>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  )
  const policy = (await pagePolicy(css)).replace("form-action 'none'", "form-action 'self'")
  c.header('Content-Security-Policy', policy)
  return c.html(`<!doctype html>${String(await page)}`)
}
