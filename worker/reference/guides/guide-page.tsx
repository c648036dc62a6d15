import { DocsFrame, Neighbours } from '../pages/docs-frame.tsx'
import { docsPolicy, type Page } from '../pages/page-policy.ts'
import {
  guideAddress,
  guideSections,
  guidesPath,
  markdownAddressOf,
  type GuideEntry,
  type Guide,
} from './guide-list.ts'
import { guideStyle } from './guide-style.ts'

/** The page of a guide; its content was made when the service was built. */
export async function guidePage(entry: GuideEntry, guide: Guide): Promise<Page> {
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
      <Neighbours {...besideOf(entry)} />
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

function besideOf(current: GuideEntry) {
  const all = guideSections.flatMap(({ pages }) => pages)
  const at = all.findIndex(({ file }) => file === current.file)
  const linkTo = (beside: GuideEntry | undefined) =>
    beside && { title: beside.title, href: guideAddress(beside.file) }
  return { former: linkTo(all[at - 1]), next: linkTo(all[at + 1]) }
}
