type Cell = string | number | boolean | null | undefined

const gap = '  '

/** A table whose columns are as wide as their widest cell; an empty cell is shown as a dash. */
export function textTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '(none)'
  const lines = [headings, ...rows.map((row) => row.map(shown))]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

/** The fields of one thing, below each other. */
export function fieldList(fields: readonly (readonly [string, Cell])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}${gap}${shown(value)}`).join('\n')
}

function shown(cell: Cell): string {
  return cell === null || cell === undefined || cell === '' ? '-' : String(cell)
}
