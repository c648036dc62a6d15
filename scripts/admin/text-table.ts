import {
  fieldList as listed,
  textTable as drawn,
} from '../../client/src/cli/terminal/text-table.ts'

type Cell = string | number | boolean | null | undefined

/** A table whose columns are as wide as their widest cell; an empty cell is shown as a dash. */
export function textTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '(none)'
  const columns = headings.map((heading) => ({ heading }))
  const cells = rows.map((row) => row.map(shown))
  return drawn(columns, cells, undefined)
}

/** The fields of one thing, below each other. */
export function fieldList(fields: readonly (readonly [string, Cell])[]): string {
  return listed(fields.map(([name, value]) => [name, shown(value)]))
}

function shown(cell: Cell): string {
  return cell === null || cell === undefined || cell === '' ? '-' : String(cell)
}
