import type { CreateBatch } from '../../api-types.ts'
import { parseJson, put, readTextFile } from '../arguments/read-value.ts'
import { requestFlags } from '../arguments/request-flags.ts'
import { UsageError } from '../session/command-error.ts'

/** The items of a batch from a file: JSON, or a table with a line of headings. */
export function readItems(file: string): CreateBatch {
  const text = readTextFile(file).replace(/^\uFEFF/, '')
  const what = file === '-' ? 'Standard input' : file
  if (!/^\s*[[{]/.test(text)) return { items: readTable(text, what) }
  const value = parseJson(text, what)
  if (Array.isArray(value)) return { items: value as CreateBatch['items'] }
  return value as CreateBatch
}

const fields = new Set(requestFlags.map(({ field }) => field))

/**
 * A column is a field of the request where it is named like one (`fileUrl`, `metadata.order`), and otherwise a value of the
 * preset. A cell without text is left out.
 */
function readTable(text: string, what: string): CreateBatch['items'] {
  const [headings = [], ...lines] = readCells(text, what)
  const columns = headings.map((heading) => pathOf(heading.trim(), what))
  return lines.map((cells, i) => {
    if (cells.length > columns.length) {
      throw new UsageError(
        `${what}: row ${i + 2} has ${cells.length} cells; the headings are ${columns.length}.`,
      )
    }
    const item: Record<string, unknown> = {}
    for (const [at, path] of columns.entries()) {
      const cell = cells[at] ?? ''
      if (cell !== '') put(item, path, asField(path, cell))
    }
    return item
  })
}

function pathOf(heading: string, what: string): string[] {
  if (heading === '') throw new UsageError(`${what}: a column has no heading.`)
  const path = heading.split('.')
  return fields.has(path[0] ?? '') ? path : ['values', heading]
}

/** Values stay text: the service takes `12` for a number where one belongs. */
function asField([root]: readonly string[], cell: string): unknown {
  const kind = requestFlags.find(({ field }) => field === root)?.kind
  if (root === 'values' || root === 'metadata' || kind === 'text') return cell
  try {
    return JSON.parse(cell)
  } catch {
    // A word such as webm stands for itself.
    return cell
  }
}

/** RFC 4180, with whichever of comma, semicolon and tab the headings have. */
function readCells(text: string, what: string): string[][] {
  const headings = text.split(/\r?\n/, 1)[0] ?? ''
  const separator = [',', ';', '\t'].find((one) => headings.includes(one)) ?? ','
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (char === '"' && cell === '') isQuoted = true
    else if (char === separator) {
      row.push(cell)
      cell = ''
    } else if (char === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
    } else if (char !== '\r') cell += char
  }
  if (isQuoted) throw new UsageError(`${what}: a quotation mark is never closed.`)
  return [...rows, [...row, cell]].filter((cells) => cells.some((one) => one.trim() !== ''))
}
