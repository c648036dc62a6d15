import type { Context } from 'hono'
import { AppError } from '../../contract/answers/errors.ts'
import {
  guideAddress,
  builtNameOf,
  guideFolders,
  guideSections,
  markdownAddressOf,
  type GuideEntry,
  type GuideSection,
  guide,
  writtenBaseUrl,
} from '../../reference/guides/guide-list.ts'
import { guidePage } from '../../reference/guides/guide-page.tsx'
import { readSettings } from '../../settings.ts'
import { readRange } from '../../service/files/open-object.ts'
import type { AppEnv } from '../app-env.ts'

const cached = 'public, max-age=300'

type Listed = { entry: GuideEntry; readers: GuideSection['readers'] }

const listed: readonly Listed[] = guideSections.flatMap(({ pages, readers }) =>
  pages.map((entry) => ({ entry, readers })),
)
const byAddress = new Map(listed.map((page) => [guideAddress(page.entry.file), page]))
const byMarkdownAddress = new Map(listed.map((page) => [markdownAddressOf(page.entry.file), page]))

/** GET /docs, /docs/{name} and /docs/{folder}/{name}: a page, its Markdown, or a file that pages show. */
export async function serveGuide(c: Context<AppEnv>): Promise<Response> {
  const { path } = c.req
  const asMarkdown = byMarkdownAddress.get(path)
  if (asMarkdown) return serveMarkdown(c, asMarkdown)
  const page = byAddress.get(path)
  if (page) return servePage(c, page)
  if (path === '/docs/search.json' || isGuideFile(path)) return serveBuilt(c, path.slice(6))
  throw new AppError('NotFound')
}

/** GET /llms.txt and /llms-full.txt */
export async function serveForModels(c: Context<AppEnv>): Promise<Response> {
  const text = await readBuilt(c, c.req.path.slice(1))
  return c.text(text.replaceAll(writtenBaseUrl, readSettings(c.env).baseUrl), 200, {
    'Cache-Control': cached,
  })
}

async function servePage(c: Context<AppEnv>, { entry, readers }: Listed): Promise<Response> {
  const text = await readBuilt(c, `${builtNameOf(entry.file)}.json`)
  const built = guide.parse(JSON.parse(text))
  const shown = { ...built, html: withOwnAddress(c, built.html, readers) }
  const { html, policy } = await guidePage(entry, shown)
  return c.html(html, 200, { 'Cache-Control': cached, 'Content-Security-Policy': policy })
}

async function serveMarkdown(c: Context<AppEnv>, { entry, readers }: Listed): Promise<Response> {
  const text = await readBuilt(c, `${builtNameOf(entry.file)}.md`)
  return c.body(withOwnAddress(c, text, readers), 200, {
    'Content-Type': 'text/markdown; charset=utf-8',
    'Cache-Control': cached,
  })
}

/** Pages for operators keep the address that they name: it is that of the operator's own machine. */
function withOwnAddress(
  c: Context<AppEnv>,
  text: string,
  readers: GuideSection['readers'],
): string {
  return readers === 'everyone'
    ? text.replaceAll(writtenBaseUrl, readSettings(c.env).baseUrl)
    : text
}

function isGuideFile(path: string): boolean {
  const [, folder = '', name = ''] = /^\/docs\/([a-z]+)\/([a-z0-9-]+\.[a-z0-9]+)$/.exec(path) ?? []
  return name !== '' && guideFolders.some((known) => known === folder)
}

async function serveBuilt(c: Context<AppEnv>, name: string): Promise<Response> {
  const answer = await fetchBuilt(c, name, c.req.raw.headers)
  // A fetched answer cannot be changed, and headers are still to be added.
  const copy = new Response(answer.body, answer)
  copy.headers.set('Cache-Control', cached)
  return copy.status === 200 ? cutToRange(c, copy) : copy
}

/** Players jump in a clip only if they can ask for a part of it, and static files are not served in parts. */
async function cutToRange(c: Context<AppEnv>, whole: Response): Promise<Response> {
  const { headers } = whole
  headers.set('Accept-Ranges', 'bytes')
  const [range, unless] = [c.req.header('Range'), c.req.header('If-Range')]
  if (range === undefined || (unless !== undefined && unless !== headers.get('ETag'))) return whole
  const bytes = await whole.arrayBuffer()
  const part = readRange(range, bytes.byteLength)
  if (part.outcome === 'whole') return new Response(bytes, whole)
  const { offset, length } = part.outcome === 'part' ? part : { offset: 0, length: 0 }
  headers.set('Content-Length', String(length))
  const shown = part.outcome === 'part' ? `${offset}-${offset + length - 1}` : '*'
  headers.set('Content-Range', `bytes ${shown}/${bytes.byteLength}`)
  const status = part.outcome === 'part' ? 206 : 416
  return new Response(bytes.slice(offset, offset + length), { status, headers })
}

async function readBuilt(c: Context<AppEnv>, name: string): Promise<string> {
  const answer = await fetchBuilt(c, name)
  return answer.text()
}

/** Fetches a page that `scripts/guides` has built: it lies among the static files, in a folder that no route leads to. */
async function fetchBuilt(
  c: Context<AppEnv>,
  name: string,
  headers: Headers = new Headers(),
): Promise<Response> {
  const answer = await c.env.ASSETS.fetch(new URL(`/guides/${name}`, c.req.url), { headers })
  if (answer.status === 404) throw new AppError('NotFound')
  return answer
}
