import type { Document } from '../openapi/openapi-types.ts'
import type { Page } from '../pages/page.ts'
import { docsPolicy } from '../pages/page-policy.ts'
import { ReferencePageView } from './reference-page.tsx'
import { referencePages } from './reference-pages.ts'
import { css } from './style.ts'

/** A page of the reference as it is sent to a browser; undefined if none has this name. */
export async function renderReference(document: Document, name: string): Promise<Page | undefined> {
  const page = referencePages(document).find((known) => known.name === name)
  if (!page) return undefined
  const view = <ReferencePageView document={document} page={page} css={css} />
  return { html: `<!doctype html>${String(await view)}`, policy: await docsPolicy(css) }
}
