import { addressOfReference, referencePath } from '../guides/guide-list.ts'
import type { Document } from '../openapi/openapi-types.ts'
import { DocsFrame } from '../pages/docs-frame.tsx'
import { Neighbours } from '../pages/neighbours.tsx'
import { Errors } from './errors.tsx'
import { ObjectList, ObjectSection } from './objects.tsx'
import { OperationSection } from './operation-section.tsx'
import { Overview } from './overview.tsx'
import { groupsOf, referencePages, type ReferencePage } from './reference-pages.ts'
import { WebhookSection } from './webhook-section.tsx'

type PageProps = { document: Document; page: ReferencePage }

/** A page of the reference, made from the document that generates clients too. */
export function ReferencePageView({ document, page, css }: PageProps & { css: string }) {
  return (
    <DocsFrame
      title={page.kind === 'overview' ? 'Spool API reference' : `${page.title} · Spool API`}
      description={aboutOf(page)}
      css={css}
      current={referencePath}
      contents={{ label: 'Reference', list: <Contents {...{ document, page }} /> }}
      footer={
        <>
          Spool {String(document.info['version'])}. These pages and{' '}
          <a href="/openapi.json">openapi.json</a> are made from the schemas the service checks
          requests with.
        </>
      }
    >
      <Content {...{ document, page }} />
      <Neighbours {...besideOf({ document, page })} />
    </DocsFrame>
  )
}

function Content({ document, page }: PageProps) {
  switch (page.kind) {
    case 'overview':
      return <Overview document={document} />
    case 'operation':
      return <OperationSection document={document} placed={page.placed} />
    case 'webhooks':
      return <WebhookSection document={document} />
    case 'objects':
      return <ObjectList document={document} />
    case 'object':
      return <ObjectSection name={page.name} schema={page.schema} />
    case 'errors':
      return <Errors document={document} />
  }
}

function aboutOf(page: ReferencePage): string {
  if (page.kind !== 'operation') return 'Every request and answer of the Spool API'
  return page.placed.operation.description?.split('\n\n')[0] ?? page.title
}

function besideOf({ document, page }: PageProps) {
  const all = referencePages(document)
  const at = all.findIndex(({ name }) => name === page.name)
  const linkTo = (beside: ReferencePage | undefined) =>
    beside && { title: beside.title, href: addressOfReference(beside.name) }
  return { former: linkTo(all[at - 1]), next: linkTo(all[at + 1]) }
}

/** The operations, and the objects where somebody reads about objects. */
function Contents({ document, page }: PageProps) {
  const link = (name: string, title: unknown) => (
    <a href={addressOfReference(name)} aria-current={name === page.name ? 'page' : undefined}>
      {title}
    </a>
  )
  return (
    <ul>
      <li>{link('', 'Overview')}</li>
      {groupsOf(document).map(({ name, operations }) => (
        <li>
          <span class="section">{name}</span>
          <ul>
            {operations.map(({ method, operation }) => (
              <li>
                {link(
                  operation.operationId,
                  <>
                    <span class={`dot ${method}`} aria-hidden="true"></span>
                    {operation.summary}
                  </>,
                )}
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>{link('webhooks', 'Webhooks')}</li>
      <li>
        {link('objects', 'Objects')}
        {page.kind.startsWith('object') && (
          <ul class="objects">
            {Object.keys(document.components.schemas).map((name) => (
              <li>{link(name, name)}</li>
            ))}
          </ul>
        )}
      </li>
      <li>{link('errors', 'Errors')}</li>
    </ul>
  )
}
