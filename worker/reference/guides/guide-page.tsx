import { DocsFrame, Neighbours } from '../pages/docs-frame.tsx'
import { docsPolicy, type SafePage } from '../pages/page-policy.ts'
import {
  guideAddress,
  guideSections,
  guidesPath,
  markdownAddressOf,
  type GuideEntry,
  type Guide,
} from './guide-list.ts'
import { css } from '../docs/style.ts'

/** The page of a guide; its content was made when the service was built. */
export async function guidePage(entry: GuideEntry, guide: Guide): Promise<SafePage> {
  const markdown = markdownAddressOf(entry.file)
  const page = (
    <DocsFrame
      title={`${guide.title} · Spool`}
      description={guide.about}
      css={guideStyle}
      current={guidesPath}
      contents={{ label: 'Guides', list: <Sections current={entry} /> }}
      markdown={markdown}
      footer={
        <>
          <a href={markdown}>This page as Markdown</a>; all pages for language models:{' '}
          <a href="/llms.txt">llms.txt</a>
        </>
      }
    >
      <div class="prose">
        <article dangerouslySetInnerHTML={{ __html: guide.html }} />
        <OnThisPage guide={guide} />
      </div>
      <Neighbours pages={allGuides} current={guideAddress(entry.file)} />
    </DocsFrame>
  )
  return { html: `<!doctype html>${String(await page)}`, policy: await docsPolicy(guideStyle) }
}

function Sections({ current }: { current: GuideEntry }) {
  return (
    <ul>
      {guideSections.map(({ title, pages }) => (
        <li>
          <span class="section">{title}</span>
          <ul>
            {pages.map((entry) => (
              <li>
                <a
                  href={guideAddress(entry.file)}
                  aria-current={entry.file === current.file ? 'page' : undefined}
                >
                  {entry.title}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function OnThisPage({ guide }: { guide: Guide }) {
  const headings = guide.headings.filter(({ level }) => level === 2)
  if (headings.length < 2) return <></>
  return (
    <nav class="here" aria-label="On this page">
      <span class="section">On this page</span>
      <ul>
        {headings.map(({ id, text }) => (
          <li>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const allGuides = guideSections.flatMap(({ pages }) =>
  pages.map(({ title, file }) => ({ title, href: guideAddress(file) })),
)

/** The style of guides: that of the reference, and prose, code in several languages, and pictures. */
const guideStyle = `${css}
.side nav ul ul, .side ul ul { margin-bottom: 0.4rem; }
.prose { display: grid; grid-template-columns: minmax(0, 46rem); gap: 3rem; }
article > :first-child { margin-top: 0; }
h1 { font-size: clamp(1.75rem, 4vw, 2.25rem); }
h2 { font-size: 1.4rem; margin: 2.75rem 0 0.75rem; padding-top: 0; border-top: 0; }
h3 { font-size: 1.1rem; margin: 2rem 0 0.6rem; }
h2 a.to, h3 a.to, h4 a.to { color: inherit; text-decoration: none; }
h2 a.to:hover, h3 a.to:hover { text-decoration: underline; }
article p, article li { max-width: 44rem; }
article ul, article ol { margin: 0 0 1rem; padding-left: 1.4rem; }
article li { margin-bottom: 0.35rem; }
article li > p { margin-bottom: 0.5rem; }
article img { display: block; max-width: 100%; height: auto; border-radius: 8px; border: 1px solid var(--line); }
article p:has(> img) { max-width: none; }
article blockquote { margin: 0 0 1rem; padding: 0.1rem 1rem; border-left: 3px solid var(--accent); color: var(--soft); }
article blockquote p { margin: 0.5rem 0; }
td code { white-space: normal; }
td > span { min-width: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
pre { padding-right: 4.5rem; }
.plain pre { padding-right: 1.1rem; white-space: pre; overflow-x: auto; overflow-wrap: normal; }
.code code { font-size: 0.8125rem; }
.langs { display: flex; gap: 0.25rem; border-bottom: 1px solid var(--line); margin-bottom: 0.4rem; }
.langs button {
  font: 0.875rem var(--sans); color: var(--soft); background: none; border: 0; border-bottom: 2px solid transparent;
  padding: 0.35rem 0.6rem; margin-bottom: -1px; cursor: pointer;
}
.langs button:hover { color: var(--ink); }
.langs button[aria-selected=true] { color: var(--ink); border-bottom-color: var(--accent); }
.langs button:focus-visible { outline-offset: -3px; }
.lang { color: var(--soft); font-size: 0.8125rem; margin: 0 0 0.25rem; }
@media (scripting: none) { .langs { display: none; } }
@media (scripting: enabled) {
  .many .code:not(.shown) { display: none; }
  .many .lang { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
.hljs-comment { color: var(--soft); font-style: italic; }
.hljs-string, .hljs-regexp, .hljs-template-variable { color: var(--get); }
.hljs-keyword, .hljs-literal, .hljs-built_in, .hljs-type { color: var(--head); }
.hljs-number { color: var(--patch); }
.hljs-attr, .hljs-attribute, .hljs-property, .hljs-title, .hljs-variable { color: var(--post); }
.here { display: none; }
.here ul { list-style: none; margin: 0; padding: 0; }
.here > ul > li { margin: 0; }
.here > ul > li > a { font-weight: 400; }
.here > ul > li > a { display: block; padding: 0.2rem 0; font-size: 0.875rem; color: var(--soft); text-decoration: none; }
.here > ul > li > a:hover { color: var(--accent); }
main { max-width: none; }
@media (min-width: 80rem) {
  .prose { grid-template-columns: minmax(0, 46rem) 13rem; }
  .here { display: block; position: sticky; top: 5rem; align-self: start; max-height: calc(100vh - 6rem); overflow-y: auto; }
}
@media print { .here, .langs { display: none; } }
`
