import { addressOfReference, referencePath } from '../guides/guide-list.ts'
import type { Document, JsonSchema, Operation } from '../openapi/json-schemas.ts'
import { DocsFrame, Neighbours } from '../pages/docs-frame.tsx'
import { OperationSection, Examples, examplesOf, bodyOf } from './operation-section.tsx'
import { Overview } from './overview.tsx'
import { groupsOf, referencePages, type ReferencePage } from './reference-pages.ts'
import { errorTable } from '../../contract/answers/errors.ts'
import { FieldTable, Type, InlineText } from './field-table.tsx'
import { describeField, describeType, listFields } from './fields.ts'
import { docsPolicy, type SafePage } from '../pages/page-policy.ts'
import { css } from './style.ts'
import { DataTable } from '../pages/data-table.tsx'

type PageProps = { document: Document; page: ReferencePage }

/** A page of the reference, made from the document that generates clients too. */
function ReferencePageView({ document, page, css }: PageProps & { css: string }) {
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
      <Neighbours
        pages={referencePages(document).map(({ title, name }) => ({
          title,
          href: addressOfReference(name),
        }))}
        current={addressOfReference(page.name)}
      />
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

/** The operations and, on pages about objects, the objects. */
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
          <ul>
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

/** The form of every refusal. */
function Errors({ document }: { document: Document }) {
  const shared = Object.values(document.components.responses).flatMap((response) =>
    examplesOf(response).map((value) => ({ when: response.description, value })),
  )
  return (
    <section aria-labelledby="errors">
      <h1 id="errors">Errors</h1>
      <p>
        Every error is an <a href={addressOfReference('Error')}>Error</a> with one of these in{' '}
        <code>error</code>.
      </p>
      <DataTable
        caption="Errors"
        columns={['Error', 'Status', 'Meaning']}
        rows={Object.entries(errorTable).map(([code, { status, text }]) => [
          <code>{code}</code>,
          <strong class={`status s${Math.floor(status / 100)}`}>{status}</strong>,
          text,
        ])}
      />
      <h2>Refusals that are the same everywhere</h2>
      {shared.map(({ when, value }) => (
        <>
          <p class="when">{when}</p>
          <pre>
            <code>{JSON.stringify(value, null, 2)}</code>
          </pre>
        </>
      ))}
    </section>
  )
}

/** The names of all objects, each with a page. */
function ObjectList({ document }: { document: Document }) {
  return (
    <section aria-labelledby="objects">
      <h1 id="objects">Objects</h1>
      <p>What requests and answers are made of.</p>
      <ul class="operations">
        {Object.entries(document.components.schemas).map(([name, schema]) => (
          <li>
            <a href={addressOfReference(name)}>{name}</a>
            <span>{describeField(name, schema, false).description}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ObjectSection({ name, schema }: { name: string; schema: JsonSchema }) {
  const { description } = describeField(name, schema, false)
  return (
    <section aria-labelledby={`schema-${name}`}>
      <h1 id={`schema-${name}`}>{name}</h1>
      {schema['properties'] === undefined ? (
        <p>
          {description}: one of <Type parts={describeType(schema)} />.
        </p>
      ) : (
        <>
          {description !== '' && <p>{description}</p>}
          <FieldTable caption={name} fields={listFields(schema)} />
        </>
      )}
    </section>
  )
}

/** A page of the reference as it is sent to a browser; undefined if none has this name. */
export async function renderReference(
  document: Document,
  name: string,
): Promise<SafePage | undefined> {
  const page = referencePages(document).find((known) => known.name === name)
  if (!page) return undefined
  const view = <ReferencePageView document={document} page={page} css={css} />
  return { html: `<!doctype html>${String(await view)}`, policy: await docsPolicy(css) }
}

function WebhookSection({ document }: { document: Document }) {
  const events = Object.entries(document.webhooks).flatMap(([type, { post }]) =>
    post ? [{ type, post, media: bodyOf(document, post) }] : [],
  )
  return (
    <section aria-labelledby="webhooks">
      <h1 id="webhooks">Webhooks</h1>
      <p>
        When a video with a <code>webhookUrl</code> succeeds, fails or is canceled, the service
        sends that URL a signed POST with a{' '}
        <a href={addressOfReference('WebhookEvent')}>WebhookEvent</a> as its body, and repeats it
        until the answer is a 2xx. <a href="/docs/webhooks">The guide</a> has the schedule, and how
        to check the signature.
      </p>
      <DataTable
        caption="Webhooks"
        columns={['Type', 'When']}
        rows={events.map(({ type, post }) => [<code>{type}</code>, post.summary])}
      />
      {events.slice(0, 1).map(({ post }) => (
        <WebhookHeaders of={post} />
      ))}
      {events.map(({ media }) => (
        <Examples media={media} />
      ))}
    </section>
  )
}

/** The headers are the same for every event. */
function WebhookHeaders({ of: { parameters = [] } }: { of: Operation }) {
  return (
    <DataTable
      caption="Headers of a webhook"
      columns={['Name', 'Meaning']}
      rows={parameters.map(({ name, description }) => [
        <code>{name}</code>,
        <InlineText text={description ?? ''} />,
      ])}
    />
  )
}
