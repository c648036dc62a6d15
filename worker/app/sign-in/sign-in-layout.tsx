import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../../http/app-env.ts'
import { Brand } from '../../reference/pages/page-head.tsx'
import { Alert, Notice } from '../design/notice.tsx'
import { sendPage } from '../send-page.ts'

const style = `
.page { max-width: 26rem; margin-inline: auto; padding-top: var(--s4); }
.page > .brand { margin-bottom: 8vh; }
.about { margin-top: var(--s6); padding-top: var(--s4); border-top: 1px solid var(--line); color: var(--soft); }
.about img { width: 100%; height: auto; border-radius: var(--radius); }
@media (min-width: 60rem) {
  .page { display: grid; grid-template-columns: 24rem minmax(0, 1fr); column-gap: 6rem; max-width: 66rem; align-content: start; }
  .page > * { grid-column: 1; }
  .page > .about { grid-area: 2 / 2 / span 20 / 3; margin: 0; padding: 0; border: 0; }
}
.page h1 { margin-bottom: var(--s3); }
.page .button.primary { width: 100%; }
.page .after { margin-top: var(--s4); color: var(--soft); }
`

export type SignInNotes = {
  /** What is wrong with the whole form. */
  alert?: string | undefined
  /** What has just happened. */
  note?: string | undefined
}

/** A page with one column, for people who are not signed in. */
export async function showSignInPage(
  c: Context<AppEnv>,
  { title, alert, note, children }: SignInNotes & { title: string; children?: Child },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const page = {
    title,
    heading: null,
    style,
    children: (
      <>
        <Brand href="/app" />
        <h1>{title}</h1>
        <Alert>{alert}</Alert>
        {note !== undefined && (
          <Notice tone="good" role="status">
            {note}
          </Notice>
        )}
        {children}
        <About />
      </>
    ),
  }
  return sendPage(c, page, status)
}

function About() {
  return (
    <aside class="about" aria-label="About this service">
      <img
        src="/docs/images/first-video.webp"
        alt="A speech in 16:9, and made of it a vertical video with its words as captions"
        width={1000}
        height={360}
      />
      <p>
        Spool cuts, cleans, resizes, captions and transcribes video. Send a file or an address, here
        or from your own program, and watch, share or download what comes back.
      </p>
      <p>
        <a href="/app/about">What it does</a> · <a href="/docs">Guides and the API</a>
      </p>
    </aside>
  )
}
