import { addressOfReference } from '../guides/guide-list.ts'
import type { DocumentedField, TypePart } from './fields.ts'
import { DataTable } from '../pages/data-table.tsx'

export function FieldTable({ caption, fields }: { caption: string; fields: DocumentedField[] }) {
  const hasDefaults = fields.some((field) => field.default !== undefined)
  const columns = ['Field', 'Type', 'Required', 'Default', 'Allowed', 'Meaning']
  const rows = fields.map((field) => [
    <code>{field.name}</code>,
    <Type parts={field.type} />,
    field.required ? 'yes' : 'no',
    field.default === undefined ? '' : <code>{field.default}</code>,
    <Allowed values={field.allowed} />,
    <InlineText text={field.description} />,
  ])
  const kept = (_: unknown, i: number) => hasDefaults || columns[i] !== 'Default'
  return (
    <DataTable
      caption={caption}
      columns={columns.filter(kept)}
      rows={rows.map((cells) => cells.filter(kept))}
    />
  )
}

export function Type({ parts }: { parts: TypePart[] }) {
  return (
    <>
      {parts.map(({ text, schema }) =>
        schema === undefined ? text : <a href={addressOfReference(schema)}>{text}</a>,
      )}
    </>
  )
}

function Allowed({ values }: { values: string[] }) {
  return (
    <>
      {values.map((value, i) => (
        <>
          {i === 0 ? '' : ', '}
          {/^["[{]|^matches /.test(value) ? <Literal text={value} /> : value}
        </>
      ))}
    </>
  )
}

function Literal({ text }: { text: string }) {
  const pattern = /^matches (.*)$/s.exec(text)?.[1]
  return pattern === undefined ? (
    <code>{text.replace(/^"|"$/g, '')}</code>
  ) : (
    <>
      matches <code>{pattern}</code>
    </>
  )
}

/** Paragraphs, `code` and line breaks: as much of Markdown as the description uses. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split('\n\n').map((paragraph) => (
        <p>
          <InlineText text={paragraph} />
        </p>
      ))}
    </>
  )
}

export function InlineText({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</>
}
