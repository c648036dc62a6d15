import type { Document, Media, Operation, Parameter, Response } from '../openapi/json-schemas.ts'
import { contentOf, curlFor } from './curl.ts'
import { FieldTable, Type, InlineText, Prose } from './field-table.tsx'
import { describeField, describeType, listFields, type DocumentedField } from './fields.ts'
import type { PlacedOperation } from './reference-pages.ts'
import { DataTable } from '../pages/data-table.tsx'

export function OperationSection({
  document,
  placed,
}: {
  document: Document
  placed: PlacedOperation
}) {
  const { method, path, operation } = placed
  const id = operation.operationId
  return (
    <section class="operation" aria-labelledby={id}>
      <h1 id={id}>{operation.summary}</h1>
      <p class="address">
        <span class={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
        {operation.security === undefined ? '' : <span class="open">no key needed</span>}
      </p>
      <Prose text={operation.description} />
      <pre class="command">
        <code>{curlFor({ document, ...placed })}</code>
      </pre>
      <Parameters operation={operation} />
      <Body document={document} operation={operation} />
      <Answers document={document} operation={operation} />
    </section>
  )
}

const places: readonly (readonly [Parameter['in'], string])[] = [
  ['path', 'In the address'],
  ['query', 'In the query'],
  ['header', 'In the headers'],
]

function Parameters({ operation }: { operation: Operation }) {
  const groups = places.flatMap(([place, title]) => {
    const found = (operation.parameters ?? []).filter((parameter) => parameter.in === place)
    return found.length === 0 ? [] : [{ title, fields: found.map(parameterField) }]
  })
  return (
    <>
      {groups.map(({ title, fields }) => (
        <>
          <h2>{title}</h2>
          <FieldTable caption={`${operation.summary}: ${title.toLowerCase()}`} fields={fields} />
        </>
      ))}
    </>
  )
}

function parameterField({ name, schema, required, description }: Parameter): DocumentedField {
  return { ...describeField(name, schema, required), description }
}

export function bodyOf(document: Document, operation: Operation): Media | undefined {
  const content = contentOf(document, operation)
  return content['application/json'] ?? content['multipart/form-data']
}

function Body({ document, operation }: { document: Document; operation: Operation }) {
  const media = bodyOf(document, operation)
  if (!media) return <></>
  return (
    <>
      <h2>In the body</h2>
      <FieldTable caption={`${operation.summary}: body`} fields={listFields(media.schema)} />
      <Examples media={media} of="body" />
    </>
  )
}

function responseOf(document: Document, response: Operation['responses'][string]): Response {
  if (!('$ref' in response)) return response
  return document.components.responses[response.$ref.split('/').at(-1) ?? ''] ?? { description: '' }
}

function Answers({ document, operation }: { document: Document; operation: Operation }) {
  const answers = Object.entries(operation.responses).map(([status, response]) => ({
    status,
    ...responseOf(document, response),
  }))
  const rows = answers.map(({ status, description, content, headers }) => [
    <strong class={`status s${status.charAt(0)}`}>{status}</strong>,
    <InlineText text={description} />,
    <BodyType content={content} />,
    <HeaderNames names={Object.keys(headers ?? {})} />,
  ])
  const good = answers.filter(({ status }) => status.startsWith('2'))
  return (
    <>
      <h2>Answers</h2>
      <DataTable
        caption={`${operation.summary}: answers`}
        columns={['Status', 'When', 'Body', 'Headers']}
        rows={rows}
      />
      {good.map((one) => (
        <Examples media={one.content?.['application/json']} of={`${one.status} answer`} open />
      ))}
      <Refusals operation={operation} />
    </>
  )
}

/** The refusals of this operation alone; those that all operations share are on the page of errors. */
function Refusals({ operation }: { operation: Operation }) {
  const own = Object.entries(operation.responses).flatMap(([status, response]) =>
    '$ref' in response || status.startsWith('2')
      ? []
      : examplesOf(response).map((value) => ({ status, value })),
  )
  if (own.length === 0) return <></>
  return (
    <details>
      <summary>
        <span class="of">Examples of refusals</span>
      </summary>
      {own.map(({ status, value }) => (
        <pre>
          <code>{`${status} ${JSON.stringify(value, null, 2)}`}</code>
        </pre>
      ))}
    </details>
  )
}

export function examplesOf({ content }: Response): unknown[] {
  return Object.values(content?.['application/json']?.examples ?? {}).map(({ value }) => value)
}

function BodyType({ content }: { content: Response['content'] }) {
  const [entry] = Object.entries(content ?? {})
  if (!entry) return <>none</>
  const [type, { schema }] = entry
  return type === 'application/json' && '$ref' in schema ? (
    <Type parts={describeType(schema)} />
  ) : (
    <>{type === '*/*' ? 'the bytes' : type}</>
  )
}

/**
 * Leaves out the rate-limit headers: every answer has them, and they would hide the others. The introduction names
 * them.
 */
function HeaderNames({ names }: { names: string[] }) {
  const special = names.filter((name) => !/RateLimit|^X-Request-Id$/.test(name))
  return <>{special.map((name, i) => [i === 0 ? '' : ', ', <code>{name}</code>])}</>
}

type ExamplesProps = { media: Media | undefined; of?: string; open?: boolean }

export function Examples({ media, of, open = false }: ExamplesProps) {
  return (
    <>
      {Object.values(media?.examples ?? {}).map(({ summary, value }, i) => (
        <details open={open && i === 0}>
          <summary>
            <span class="of">Example{of === undefined ? '' : ` of the ${of}`}</span> {summary}
          </summary>
          <pre>
            <code>{JSON.stringify(value, null, 2)}</code>
          </pre>
        </details>
      ))}
    </>
  )
}
