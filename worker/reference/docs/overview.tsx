import { addressOfReference } from '../guides/guide-list.ts'
import type { Document } from '../openapi/json-schemas.ts'
import { shellVariables } from './curl.ts'
import { Prose } from './field-table.tsx'
import { groupsOf, type Group } from './reference-pages.ts'

/** What the API is, and everything that can be asked of it. */
export function Overview({ document }: { document: Document }) {
  return (
    <>
      <Introduction document={document} />
      {groupsOf(document).map((group) => (
        <GroupList group={group} />
      ))}
    </>
  )
}

function GroupList({ group: { name, description, operations } }: { group: Group }) {
  return (
    <section aria-labelledby={`tag-${name}`}>
      <h2 id={`tag-${name}`}>{name}</h2>
      <p>{description}</p>
      <ul class="operations">
        {operations.map(({ method, path, operation }) => (
          <li>
            <a href={addressOfReference(operation.operationId)}>{operation.summary}</a>
            <span class="address">
              <span class={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
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
      <p>The commands of these pages use these shell variables, set once:</p>
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
