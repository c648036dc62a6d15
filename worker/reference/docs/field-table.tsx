import { addressOfReference } from '../guides/guide-list.ts'
import type { DocumentedField, TypePart } from './fields.ts'

/**
 * Narrow screens show every row as a card. Screen readers no longer recognise a table with another `display`, so its
 * roles are written out.
 */
export function Table({
  caption,
  columns,
  rows,
}: {
  caption: string
  columns: string[]
  rows: Cell[][]
}) {
  return (
    <table role="table">
      <caption class="aside">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th role="columnheader" scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((cells) => (
          <tr role="row">{cells.map((cell, i) => tableCell(cell, columns[i] ?? '', i === 0))}</tr>
        ))}
      </tbody>
    </table>
  )
}

type Cell = unknown

function tableCell(cell: Cell, label: string, isFirst: boolean) {
  const content = <span>{cell}</span>
  if (isFirst) {
    return (
      <th role="rowheader" scope="row">
        {content}
      </th>
    )
  }
  return (
    <td role="cell" data-label={label}>
      {content}
    </td>
  )
}

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
    <Table
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
