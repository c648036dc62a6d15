import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../../http/app-env.ts'
import { Brand } from '../../reference/pages/page-head.tsx'
import { readSettings } from '../../settings.ts'
import { appPage } from '../design/app-page.tsx'
import { Notice } from '../design/notice.tsx'
import { sendPage } from '../send-page.ts'

const style = `
.page { max-width: 26rem; padding-top: var(--s4); }
.page > .brand { margin-bottom: 8vh; }
.page h1 { margin-bottom: var(--s3); }
.page .button.primary { width: 100%; }
.page .after { margin-top: var(--s4); color: var(--soft); }
`

export type SignInNotes = {
  /** What went wrong with the whole form. */
  alert?: string | undefined
  /** What has just happened. */
  note?: string | undefined
}

/** A page of one column, for people who are not signed in. */
export async function showSignInPage(
  c: Context<AppEnv>,
  { title, alert, note, children }: SignInNotes & { title: string; children?: Child },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const page = await appPage({
    title,
    style,
    storage: readSettings(c.env).storageUrl,
    children: (
      <>
        <Brand href="/app" />
        <h1>{title}</h1>
        {alert !== undefined && (
          <Notice tone="bad" role="alert">
            {alert}
          </Notice>
        )}
        {note !== undefined && (
          <Notice tone="good" role="status">
            {note}
          </Notice>
        )}
        {children}
      </>
    ),
  })
  return sendPage(c, page, status)
}
