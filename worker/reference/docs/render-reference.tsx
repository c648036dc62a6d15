import type { Document } from '../openapi/openapi-types.ts'
import type { Page } from '../pages/page.ts'
import { docsPolicy } from '../pages/page-policy.ts'
import { ReferencePage } from './reference-page.tsx'
import { css } from './style.ts'

/** The reference as it is sent to a browser. */
export async function renderReference(document: Document): Promise<Page> {
  const page = <ReferencePage document={document} css={css} />
  return { html: `<!doctype html>${String(await page)}`, policy: await docsPolicy(css) }
}
