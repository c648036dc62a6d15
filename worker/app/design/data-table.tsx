import type { Child } from 'hono/jsx'

type Column = { label: string; align?: 'right' }

/**
 * Rows of a few facts. Narrow screens show every row as a card; screen readers no longer recognise a table with another
 * `display`, so its roles are written out.
 */
export function DataTable({
  caption,
  columns,
  rows,
}: {
  caption: string
  columns: readonly Column[]
  /** The first cell names its row. */
  rows: readonly (readonly Child[])[]
}) {
  return (
    <table class="table" role="table">
      <caption class="aside">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, align }) => (
            <th role="columnheader" scope="col" class={align}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((cells) => (
          <tr role="row">{cells.map((cell, i) => dataCell(cell, columns[i], i === 0))}</tr>
        ))}
      </tbody>
    </table>
  )
}

function dataCell(cell: Child, column: Column | undefined, isFirst: boolean) {
  if (isFirst) {
    return (
      <th role="rowheader" scope="row">
        {cell}
      </th>
    )
  }
  return (
    <td role="cell" class={column?.align} data-label={column?.label}>
      <span>{cell}</span>
    </td>
  )
}
