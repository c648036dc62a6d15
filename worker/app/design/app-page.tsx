import type { Child } from 'hono/jsx'
import { baseStyle } from '../../reference/pages/base-style.ts'
import { PageHead } from '../../reference/pages/page-head.tsx'
import type { Member } from '../../contract/people/member.ts'
import { styleHash, type SafePage } from '../../reference/pages/page-policy.ts'
import { componentStyle, layoutStyle } from './style.ts'
import { Notice } from './notice.tsx'
import { Shell, type SectionName } from './shell.tsx'
import type { Tone } from './status-badge.tsx'

/**
 * What colours mean in the dashboard, and the steps of its grid. The colours themselves are those of every page of the
 * service (`worker/reference/pages/base-style.ts`), so that they are chosen in one place, by day and by night.
 */
const tokens = `
:root {
  --good: var(--get); --busy: var(--patch); --bad: var(--delete); --idle: var(--soft);
  --s1: 0.25rem; --s2: 0.5rem; --s3: 1rem; --s4: 1.5rem; --s5: 2rem; --s6: 3rem; --s7: 4rem;
  --small: 0.875rem; --text: 0.9375rem; --large: 1rem;
  --radius: 6px; --edge: clamp(1rem, 4vw, 2.5rem); --side: max(var(--edge), (100% - 76rem) / 2);
  --tint: color-mix(in srgb, var(--ink) 5%, var(--paper));
}
`

/** One file of `worker/app/scripts`, without its ending. */
type ScriptName = 'shell' | 'videos' | 'video' | (string & {})

/** What a page of the dashboard shows; `sendPage` makes the rest of it. */
export type PageContent = Heading & {
  /** The title of the window. */
  title: string
  /** The heading; the title if absent, null where the page brings its own. */
  heading?: Child
  /** What stands above the heading. */
  above?: Child
  /** A message about what was just done, or about what is wrong with the whole page. */
  said?: PageNotice | undefined
  /** Absent on pages for people who are not signed in: they get no navigation. */
  section?: SectionName
  /** Where this page is found, if that is not the address of its section. */
  address?: string
  /** What this page adds to the common style. */
  style?: string
  /** The scripts that this page runs besides `shell`. */
  scripts?: readonly ScriptName[]
  /** Further origins that the page's scripts send to. */
  connect?: readonly string[]
  /** Further origins whose films and sounds the page plays. */
  play?: readonly string[]
  children: Child
}

/** A plain text is good news. */
export type PageNotice = string | { tone: Tone; text: string }

/** The origin of an address that leads elsewhere, of which a page plays a film. */
export function originsOf(address: string | undefined): readonly string[] {
  return address !== undefined && URL.canParse(address) ? [new URL(address).origin] : []
}

type PageParts = PageContent & {
  member?: Member | undefined
  /** If this page answers a form: the address of the page that has the form. */
  posted?: string | undefined
  /** The address of the files that the page shows. */
  storage: string
}

const commonStyle = `${baseStyle}${tokens}${layoutStyle}${componentStyle}`

/** A whole page of the dashboard, with the policy that lets a browser show it. */
export async function appPage(parts: PageParts): Promise<SafePage> {
  const { title, member, section, posted, style = '', scripts = [] } = parts
  const { storage, connect, play } = parts
  const css = `${commonStyle}${style}`
  const page = (
    <html lang="en">
      <PageHead title={`${title} · Spool`} css={css}>
        {['shell', ...scripts].map((name) => (
          <script type="module" src={`/scripts/${name}.js`}></script>
        ))}
      </PageHead>
      <body data-posted={posted}>
        {member ? (
          <Shell member={member} section={section}>
            <Content {...parts} />
          </Shell>
        ) : (
          <main class="page" id="content">
            <Content {...parts} />
          </main>
        )}
      </body>
    </html>
  )
  return {
    html: `<!doctype html>${String(await page)}`,
    policy: await appPolicy({ style: css, storage, connect, play }),
  }
}

function Content({ title, heading = title, above, said, children, ...around }: PageContent) {
  const { tone, text } = typeof said === 'object' ? said : { tone: 'good' as const, text: said }
  return (
    <>
      {above}
      {heading !== null && <PageTitle {...around}>{heading}</PageTitle>}
      {text !== undefined && (
        <Notice tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
          <p>{text}</p>
        </Notice>
      )}
      {children}
    </>
  )
}

type PolicyParts = {
  style: string
  /** The origin that serves files, which may differ from that of the page. */
  storage: string
  /** Further origins that scripts send to, such as those of direct uploads. */
  connect?: readonly string[] | undefined
  /** Further origins whose films and sounds it plays. */
  play?: readonly string[] | undefined
}

/**
 * Lets a page run the service's own scripts, send its forms to the service, and show files of the storage. Nothing comes
 * from elsewhere but a film that the page names. Nothing is written into the page as script or style but its one style sheet,
 * and no other page can hold it in a frame.
 */
async function appPolicy({
  style,
  storage,
  connect = [],
  play = [],
}: PolicyParts): Promise<string> {
  const { origin } = new URL(storage)
  return [
    "default-src 'none'",
    `style-src ${await styleHash(style)}`,
    "script-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "font-src 'self'",
    `img-src 'self' data: blob: ${origin}`,
    [`media-src 'self' blob: ${origin}`, ...play].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

type Heading = {
  /** The page one level up. */
  back?: { label: string; href: string }
  /** A line of facts under the heading. */
  below?: Child
  actions?: Child
}

/** The heading of a page, and beside it what can be done on it. */
function PageTitle({ children, back, below, actions }: Heading & { children: Child }) {
  return (
    <div class="head">
      <div class="title">
        {back && (
          <a class="back" href={back.href}>
            ← <bdi>{back.label}</bdi>
          </a>
        )}
        <h1 dir="auto">{children}</h1>
        {below}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </div>
  )
}
