import { createRequire } from 'node:module'

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => named[sign] ?? sign)

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

export const isTabbed = (lang: string | undefined) =>
  lang !== undefined && Object.hasOwn(tabbed, lang)

/** The pages colour what the classes name; the policy of the pages allows no style inside them. */
export function renderCode({ text, lang }: Code): string {
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
export function renderTabs(blocks: readonly Code[]): string {
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
