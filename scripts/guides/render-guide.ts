import path from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { existsSync, readFileSync } from 'node:fs'
import type { Guide } from '../../worker/reference/guides/guide-list.ts'
import type { Resolve } from './resolve-link.ts'
import { root } from '../machine/checkout.ts'
import { escapeHtml } from '../machine/escape-html.ts'
import { createRequire } from 'node:module'

/** Makes the content of a page from its Markdown. `resolve` says where a link of the page leads when it is served. */
export function renderGuide(markdown: string, resolve: Resolve): Guide {
  const marked = new Marked({ gfm: true })
  const tokens = marked.lexer(withoutComments(markdown))
  const nameOf = nameHeadings()
  const headings: Guide['headings'] = []
  marked.use({
    renderer: {
      heading({ tokens: inner, depth, text }) {
        const plain = plainText(inner)
        const id = nameOf(text)
        headings.push({ id, level: depth, text: plain })
        const content = this.parser.parseInline(inner)
        const shown = depth === 1 ? content : `<a class="to" href="#${id}">${content}</a>`
        return `<h${depth} id="${id}">${shown}</h${depth}>\n`
      },
      link({ href, tokens: inner }) {
        const content = this.parser.parseInline(inner)
        const target = resolve(href)
        return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`
      },
      image: ({ href, text }) => renderPicture(resolve(href) ?? href, text),
      table(token) {
        return renderTable(token, (cell) => this.parser.parseInline(cell.tokens))
      },
      code: ({ text, lang = '' }) => renderCode({ text, lang }),
      html: ({ text }) => escapeHtml(text),
    },
  })
  const html = withTabs(tokens, (run) => marked.parser(run))
  const [title] = headings
  if (title?.level !== 1) throw new Error('a page begins with a heading of the first level')
  return { title: title.text, about: firstParagraph(tokens), html, headings }
}

/** Comments are for the tests of the snippets. */
export function withoutComments(markdown: string): string {
  return markdown.replace(/^<!--[\s\S]*?-->\n+/gm, '').replace(/ ?<!--.*?-->/g, '')
}

/** Consecutive blocks in different languages say the same, and a reader chooses one of them. */
function withTabs(tokens: readonly Token[], render: (run: Token[]) => string): string {
  const parts: string[] = []
  let group: Tokens.Code[] = []
  const end = () => {
    if (group.length > 1)
      parts.push(renderTabs(group.map(({ text, lang = '' }) => ({ text, lang }))))
    else parts.push(render(group))
    group = []
  }
  for (const token of tokens) {
    if (token.type === 'space') continue
    if (isCode(token) && isTabbed(token.lang) && group.every(({ lang }) => lang !== token.lang)) {
      group.push(token)
      continue
    }
    end()
    if (isCode(token) && isTabbed(token.lang)) group.push(token)
    else parts.push(render([token]))
  }
  end()
  return parts.join('')
}

const isCode = (token: Token): token is Tokens.Code => token.type === 'code'

/** A picture that is not there does not stop the build; tests say so. */
function renderPicture(address: string, text: string): string {
  const size = pictureSize(address)
  const sized = size ? ` width="${size.width}" height="${size.height}"` : ''
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}"${sized} loading="lazy">`
}

/** Narrow pages show a row as a list, where each cell needs the name of its column. */
function renderTable(
  { header, rows }: Tokens.Table,
  show: (cell: Tokens.TableCell) => string,
): string {
  const labels = header.map(({ tokens }) => plainText(tokens))
  const isNamed = labels.some((label) => label !== '')
  const head = header.map((cell) => `<th scope="col">${show(cell)}</th>`).join('')
  const body = rows.map((cells) => {
    const shown = cells.map(
      (cell, i) =>
        `<td data-label="${escapeHtml(labels[i] ?? '')}"><span>${show(cell)}</span></td>`,
    )
    return `<tr>${shown.join('')}</tr>`
  })
  const thead = isNamed ? `<thead><tr>${head}</tr></thead>` : ''
  return `<table${isNamed ? '' : ' class="bare"'}>${thead}<tbody>${body.join('')}</tbody></table>\n`
}

/** The text of tokens without their marks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens) return plainText(token.tokens)
      return 'text' in token ? String(token.text) : ''
    })
    .join('')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
}

function firstParagraph(tokens: readonly Token[]): string {
  const paragraph = tokens.find(({ type }) => type === 'paragraph')
  if (paragraph?.type !== 'paragraph') throw new Error('a page begins with a paragraph')
  return plainText([paragraph]).replaceAll('\n', ' ')
}

/** The size of a picture of the guides, so that a page does not jump when it arrives: PNG, and WebP as ffmpeg writes it. */
function pictureSize(address: string): { width: number; height: number } | undefined {
  const file = path.join(root, address.replace(/^\//, ''))
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  return sizeOfPng(bytes) ?? sizeOfWebp(bytes)
}

function sizeOfPng(bytes: Buffer) {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function sizeOfWebp(bytes: Buffer) {
  const kind = bytes.toString('latin1', 12, 16)
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  if (kind === 'VP8 ') {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
  if (kind === 'VP8X') {
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  }
  return undefined
}

/** Gives each heading of a page the name by which GitHub links to it, so that links work there and here. */
export function nameHeadings(): (text: string) => string {
  const used = new Map<string, number>()
  return (text) => {
    const name = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')
    const before = used.get(name) ?? 0
    used.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
}

type Code = { text: string; lang: string }

type Highlighter = {
  highlight: (
    text: string,
    options: { language: string; ignoreIllegals: boolean },
  ) => { value: string }
}

// Importing it would bring its types, and with them those of browsers, into all of the project.
const hljs = createRequire(import.meta.url)('highlight.js/lib/common') as Highlighter

/** The languages between which a reader may choose, by their names in Markdown. */
const tabbed: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python' }

const isTabbed = (lang: string | undefined) => lang !== undefined && Object.hasOwn(tabbed, lang)

/** The pages colour what the classes name; the policy of the pages allows no style inside them. */
function renderCode({ text, lang }: Code): string {
  return `<div class="code${lang === '' ? ' plain' : ''}">${block({ text, lang })}</div>\n`
}

function block({ text, lang }: Code): string {
  const html =
    lang === ''
      ? escapeHtml(text)
      : hljs.highlight(text, { language: lang, ignoreIllegals: true }).value
  return `<pre tabindex="0"><code>${html}</code></pre>`
}

/** Every block is there; scripts show one, and remember which. */
function renderTabs(blocks: readonly Code[]): string {
  const first = blocks[0]?.lang
  const buttons = blocks.map(
    ({ lang }) =>
      `<button type="button" role="tab" data-lang="${lang}" aria-selected="${lang === first}">${nameOf(lang)}</button>`,
  )
  const panels = blocks.map(
    (code) =>
      `<div class="code${code.lang === first ? ' shown' : ''}" data-lang="${code.lang}"><p class="lang">${nameOf(code.lang)}</p>${block(code)}</div>`,
  )
  const list = `<div class="langs" role="tablist" aria-label="Language">${buttons.join('')}</div>`
  return `<div class="many">${list}${panels.join('')}</div>\n`
}

const nameOf = (lang: string) => tabbed[lang] ?? lang
