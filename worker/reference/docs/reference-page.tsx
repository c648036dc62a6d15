import { errorTable } from '../../contract/answers/errors.ts'
import type { Document, Method, PathItem } from '../openapi/openapi-types.ts'
import { referencePath } from '../guides/guide-list.ts'
import { DocsFrame } from '../pages/docs-frame.tsx'
import { shellVariables } from './curl.ts'
import { FieldTable, Table, Type } from './field-table.tsx'
import { describeField, describeType, listFields } from './fields.ts'
import { examplesOf, OperationSection, type Placed } from './operation-section.tsx'
import { Prose } from './prose.tsx'
import { WebhookSection } from './webhook-section.tsx'

type Group = { name: string; description: string; operations: Placed[] }

const facts = {
  title: 'Spool API reference',
  description: 'Every request and answer of the Spool API',
}

/** The whole page, made from the document that generates clients too. */
export function ReferencePage({ document, css }: { document: Document; css: string }) {
  const groups = groupByTag(document)
  return (
    <DocsFrame
      {...facts}
      css={css}
      current={referencePath}
      contents={{ label: 'Contents', list: <Contents document={document} groups={groups} /> }}
      footer={
        <>
          Spool {String(document.info['version'])}. This page and{' '}
          <a href="/openapi.json">openapi.json</a> are made from the schemas the service checks
          requests with.
        </>
      }
    >
      <Introduction document={document} />
      {groups.map((group) => (
        <TagSection document={document} group={group} />
      ))}
      <WebhookSection document={document} />
      <Schemas document={document} />
      <Errors document={document} />
    </DocsFrame>
  )
}

function groupByTag(document: Document): Group[] {
  const placed = Object.entries(document.paths).flatMap(([path, item]) => placedOf(path, item))
  return document.tags
    .map((tag) => ({
      ...tag,
      operations: placed.filter(({ operation }) => operation.tags[0] === tag.name),
    }))
    .filter(({ operations }) => operations.length > 0)
}

function placedOf(path: string, item: PathItem): Placed[] {
  return Object.entries(item).flatMap(([method, operation]) =>
    operation ? [{ method: method as Method, path, operation }] : [],
  )
}

function Contents({ document, groups }: { document: Document; groups: Group[] }) {
  return (
    <ul>
      {groups.map(({ name, operations }) => (
        <li>
          <a href={`#tag-${name}`}>{name}</a>
          <ul>
            {operations.map(({ method, operation }) => (
              <li>
                <a href={`#${operation.operationId}`}>
                  <span class={`dot ${method}`} aria-hidden="true"></span>
                  {operation.summary}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li>
        <a href="#webhooks">Webhooks</a>
      </li>
      <li>
        <a href="#objects">Objects</a>
        <ul class="objects">
          {Object.keys(document.components.schemas).map((name) => (
            <li>
              <a href={`#schema-${name}`}>{name}</a>
            </li>
          ))}
        </ul>
      </li>
      <li>
        <a href="#errors">Errors</a>
      </li>
    </ul>
  )
}

function Introduction({ document }: { document: Document }) {
  const exports = Object.entries(shellVariables).map(([name, what]) => `${name}=…    # ${what}`)
  return (
    <section aria-labelledby="title">
      <h1 id="title">{String(document.info['summary'])}</h1>
      <Prose text={String(document.info['description'])} />
      <dl class="facts">
        <dt>Base address</dt>
        <dd>
          <code>{document.servers[0]?.url}</code>
        </dd>
        <dt>Authentication</dt>
        <dd>
          <code>Authorization: Bearer &lt;API_KEY&gt;</code>
        </dd>
        <dt>For generators</dt>
        <dd>
          <a href="/openapi.json">openapi.json</a>, OpenAPI 3.1
        </dd>
      </dl>
      <p>The commands on this page use these shell variables, set once:</p>
      <pre>
        <code>{exports.join('\n')}</code>
      </pre>
      <p>
        Every answer has <code>X-Request-Id</code>. Every answer to a valid key also has{' '}
        <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code>,{' '}
        <code>X-RateLimit-Reset</code>, <code>RateLimit</code> and <code>RateLimit-Policy</code>;
        the tables name only further headers.
      </p>
    </section>
  )
}

function TagSection({ document, group }: { document: Document; group: Group }) {
  return (
    <section aria-labelledby={`tag-${group.name}`}>
      <h2 id={`tag-${group.name}`}>{group.name}</h2>
      <p>{group.description}</p>
      {group.operations.map((placed) => (
        <OperationSection document={document} placed={placed} />
      ))}
    </section>
  )
}

function Schemas({ document }: { document: Document }) {
  return (
    <section aria-labelledby="objects">
      <h2 id="objects">Objects</h2>
      <p>What requests and answers are made of.</p>
      {Object.entries(document.components.schemas).map(([name, schema]) => (
        <div class="object">
          <h3 id={`schema-${name}`}>
            <a href={`#schema-${name}`}>{name}</a>
          </h3>
          {schema['properties'] === undefined ? (
            <p>
              {describeField(name, schema, false).description}: one of{' '}
              <Type parts={describeType(schema)} />.
            </p>
          ) : (
            <FieldTable caption={name} fields={listFields(schema)} />
          )}
        </div>
      ))}
    </section>
  )
}

function Errors({ document }: { document: Document }) {
  const shared = Object.values(document.components.responses).flatMap((response) =>
    examplesOf(response).map((value) => ({ when: response.description, value })),
  )
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      <p>
        Every error is an <a href="#schema-Error">Error</a> with one of these in <code>error</code>.
      </p>
      <Table
        caption="Errors"
        columns={['Error', 'Status', 'Meaning']}
        rows={Object.entries(errorTable).map(([code, { status, text }]) => [
          <code>{code}</code>,
          <strong class={`status s${Math.floor(status / 100)}`}>{status}</strong>,
          text,
        ])}
      />
      <h3>Refusals that are the same everywhere</h3>
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
