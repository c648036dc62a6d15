import { addressOfReference } from '../guides/guide-list.ts'
import type { Document, JsonSchema } from '../openapi/openapi-types.ts'
import { FieldTable, Type } from './field-table.tsx'
import { describeField, describeType, listFields } from './fields.ts'

/** The names of all objects, each with a page. */
export function ObjectList({ document }: { document: Document }) {
  return (
    <section aria-labelledby="objects">
      <h1 id="objects">Objects</h1>
      <p>What requests and answers are made of.</p>
      <ul class="operations">
        {Object.entries(document.components.schemas).map(([name, schema]) => (
          <li id={`schema-${name}`}>
            <a href={addressOfReference(name)}>{name}</a>
            <span>{describeField(name, schema, false).description}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function ObjectSection({ name, schema }: { name: string; schema: JsonSchema }) {
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
