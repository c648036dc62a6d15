import type { Child } from 'hono/jsx'

/**
 * Rows of a few facts. Narrow screens show every row as a card; screen readers no longer recognise a table with another
 * `display`, so its roles are written out.
 */
export function DataTable({
  caption,
  columns,
  endsRight,
  rows,
}: {
  caption: string
  columns: readonly string[]
  /** Whether the last column is aligned to the right. */
  endsRight?: boolean
  /** The first cell names its row. */
  rows: readonly (readonly Child[])[]
}) {
  const alignOf = (i: number) => (endsRight && i === columns.length - 1 ? 'right' : undefined)
  return (
    <table class="table" role="table">
      <caption class="aside">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((label, i) => (
            <th role="columnheader" scope="col" class={alignOf(i)}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((cells) => (
          <tr role="row">
            {cells.map((cell, i) =>
              i === 0 ? (
                <th role="rowheader" scope="row">
                  {cell}
                </th>
              ) : (
                <td role="cell" class={alignOf(i)} data-label={columns[i]}>
                  <span>{cell}</span>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
