import { cutText, padText, plainText, textWidth } from './text-width.ts'

type Column = {
  heading: string
  /** Cut when the terminal is too narrow; other columns are shown as they are. */
  isCut?: boolean
  paint?: (text: string) => string
}

const gap = '  '
const narrowest = 8

/** A table as wide as its cells, or as `columns` say. In a pipe, `columns` is undefined and nothing is cut. */
export function textTable(
  headings: readonly (Column | string)[],
  rows: readonly (readonly string[])[],
  available: number | undefined,
): string {
  const columns = headings.map((one) => (typeof one === 'string' ? { heading: one } : one))
  const cells = rows.map((row) => row.map(plainText))
  const widths = columns.map(({ heading }, index) =>
    Math.max(textWidth(heading), ...cells.map((row) => textWidth(row[index] ?? ''))),
  )
  fit(columns, widths, available)
  const line = (row: readonly string[], paintOf: (column: Column) => Column['paint']) =>
    columns
      .map((column, index) => {
        const width = widths[index] ?? 0
        const text = cutText(row[index] ?? '', width)
        const isLast = index === columns.length - 1
        return (
          (paintOf(column) ?? same)(text) + (isLast ? '' : padText('', width - textWidth(text)))
        )
      })
      .join(gap)
      .trimEnd()
  const head = line(
    columns.map(({ heading }) => heading),
    () => undefined,
  )
  return [head, ...cells.map((row) => line(row, ({ paint }) => paint))].join('\n')
}

function fit(columns: readonly Column[], widths: number[], available: number | undefined): void {
  if (available === undefined) return
  const total = () => widths.reduce((sum, width) => sum + width + gap.length, -gap.length)
  columns.forEach(({ isCut }, index) => {
    const width = widths[index] ?? 0
    if (isCut) widths[index] = Math.max(Math.min(width, narrowest), width - (total() - available))
  })
}

/** Names and values below each other. */
export function fieldList(
  fields: readonly (readonly [string, string | undefined])[],
  paint: (text: string) => string = same,
): string {
  const given = fields.filter((field): field is [string, string] => field[1] !== undefined)
  const width = Math.max(0, ...given.map(([name]) => textWidth(name)))
  return given
    .map(([name, value]) => `${paint(padText(name, width))}${gap}${plainText(value)}`)
    .join('\n')
}

function same(text: string): string {
  return text
}
