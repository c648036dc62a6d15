import type { Child } from 'hono/jsx'
import { baseStyle } from '../../reference/pages/base-style.ts'
import { PageHead } from '../../reference/pages/page-head.tsx'
import type { Page } from '../../reference/pages/page.ts'
import type { Member } from '../../contract/people/member.ts'
import { appPolicy } from './app-policy.ts'
import { componentStyle } from './component-style.ts'
import { layoutStyle } from './layout-style.ts'
import type { SectionName } from './sections.ts'
import { Shell } from './shell.tsx'
import { tokens } from './tokens.ts'

/** One file of `worker/app/scripts`, without its ending. */
export type ScriptName = 'shell' | 'videos' | 'video' | (string & {})

export type PageParts = {
  /** Of the window; the page has its own heading. */
  title: string
  /** Absent on pages for people who are not signed in: they get no navigation. */
  member?: Member
  section?: SectionName
  /** What this page adds to the common style. */
  style?: string
  /** What this page runs besides `shell`. */
  scripts?: readonly ScriptName[]
  /** The address of the files that the page shows. */
  storage: string
  /** Further origins that the page's scripts send to. */
  connect?: readonly string[]
  children: Child
}

const commonStyle = `${baseStyle}${tokens}${layoutStyle}${componentStyle}`

/** A whole page of the dashboard, and the policy that lets a browser show it. */
export async function appPage({ member, section, style = '', ...parts }: PageParts): Promise<Page> {
  const css = `${commonStyle}${style}`
  const { title, scripts = [], storage, connect = [], children } = parts
  const page = (
    <html lang="en">
      <PageHead title={`${title} · Spool`} css={css}>
        {['shell', ...scripts].map((name) => (
          <script type="module" src={`/scripts/${name}.js`}></script>
        ))}
      </PageHead>
      <body>
        {member ? (
          <Shell member={member} section={section}>
            {children}
          </Shell>
        ) : (
          <main class="page" id="content">
            {children}
          </main>
        )}
      </body>
    </html>
  )
  return {
    html: `<!doctype html>${String(await page)}`,
    policy: await appPolicy({ style: css, storage, connect }),
  }
}
