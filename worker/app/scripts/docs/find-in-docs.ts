import MiniSearch, { type Query, type SearchResult } from 'minisearch'
import { synonymsOf } from './synonyms.ts'

/** A section of a page, or an operation of the API. */
export type DocsRecord = { href: string; page: string; heading: string; text: string }
export type SearchHit = SearchResult & DocsRecord

/** Pages that compare, deny or list rank below those that explain; so do pages for operators. */
const later: readonly (readonly [address: RegExp, weight: number])[] = [
  [/^\/docs\/coming-from\//, 0.3],
  [/^\/docs\/(limits|errors|dependencies|scale|security)\b/, 0.5],
  [/^\/docs\/(configuration|operations|deploy|backup|people|self-hosting|media-workers)\b/, 0.7],
  [/^\/docs\/reference\//, 0.6],
  [/^\/docs\/cookbook\//, 1.3],
  [/^\/docs(#|$)/, 1.1],
]

/** Finds sections by the words that people use, even if the pages use others. */
export class DocsIndex {
  readonly #index = new MiniSearch<DocsRecord>({
    idField: 'href',
    fields: ['heading', 'page', 'text'],
    storeFields: ['href', 'page', 'heading', 'text'],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.5, fuzzy: 0.2 },
      boostDocument: (href) => weightOf(String(href)),
    },
  })

  constructor(records: readonly DocsRecord[]) {
    this.#index.addAll(records)
  }

  /** The sections that contain every word or a synonym of it; if there are none, those that contain some. */
  find(text: string): SearchHit[] {
    const queries = synonymsOf(text).map((words): Query => ({
      combineWith: 'OR',
      queries: [...words],
    }))
    if (queries.length === 0) return []
    const all = this.#index.search({ combineWith: 'AND', queries }) as SearchHit[]
    return all.length > 0
      ? all
      : (this.#index.search({ combineWith: 'OR', queries }) as SearchHit[])
  }
}

const weightOf = (href: string) => later.find(([address]) => address.test(href))?.[1] ?? 1
