import { Marked, type Token } from 'marked'
import {
  guideAddress,
  addressOfReference,
  writtenBaseUrl,
} from '../../worker/reference/guides/guide-list.ts'
import { describeApi } from '../../worker/reference/openapi/document.ts'
import type { BuiltGuide } from './read-guides.ts'
import { nameHeadings, plainText } from './render-guide.ts'

/** One section of a page, or one operation of the API, as the search in the browser reads it. */
type SearchRecord = { href: string; page: string; heading: string; text: string }

export function searchRecords(guides: readonly BuiltGuide[]): SearchRecord[] {
  return [...guides.flatMap(sectionsOf), ...operations()]
}

function sectionsOf({ entry, guide, markdown }: BuiltGuide): SearchRecord[] {
  const nameOf = nameHeadings()
  const address = guideAddress(entry.file)
  const records: SearchRecord[] = []
  for (const token of new Marked({ gfm: true }).lexer(markdown)) {
    if (token.type === 'heading') {
      const heading = plainText(token.tokens ?? [])
      const id = nameOf(String(token['text']))
      const href = token['depth'] === 1 ? address : `${address}#${id}`
      records.push({ href, page: guide.title, heading, text: '' })
      continue
    }
    const last = records.at(-1)
    if (last) last.text = `${last.text} ${textOf(token)}`.trim()
  }
  return records
}

/** Code is searched too, because people search for names of fields; whole answers only make noise. */
function textOf(token: Token): string {
  switch (token.type) {
    case 'code':
      return token['lang'] === 'json' || token['lang'] === '' ? '' : String(token['text'])
    case 'table': {
      type Cell = { tokens: Token[] }
      const { header, rows } = token as unknown as { header: Cell[]; rows: Cell[][] }
      return [header, ...rows]
        .flat()
        .map((cell) => plainText(cell.tokens))
        .join(' ')
    }
    case 'list': {
      const { items } = token as unknown as { items: { tokens: Token[] }[] }
      return items.map(({ tokens }) => plainText(tokens)).join(' ')
    }
    default:
      return plainText([token]).replaceAll(/\s+/g, ' ')
  }
}

function operations(): SearchRecord[] {
  const { paths } = describeApi('', writtenBaseUrl)
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation
        ? [
            {
              href: addressOfReference(operation.operationId),
              page: 'API reference',
              heading: operation.summary,
              text: `${method.toUpperCase()} ${path} ${operation.description ?? ''}`,
            },
          ]
        : [],
    ),
  )
}
