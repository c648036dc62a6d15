import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  guideSections,
  markdownAddressOf,
  type GuideEntry,
  type GuideSection,
  type Guide,
} from '../../worker/reference/guides/guide-list.ts'
import { root } from '../machine/checkout.ts'
import { addLanguages } from './add-languages.ts'
import { renderGuide, withoutComments } from './render-guide.ts'
import { resolveFrom } from './resolve-link.ts'

export type BuiltGuide = {
  entry: GuideEntry
  readers: GuideSection['readers']
  section: string
  guide: Guide
  /** As it is served: with links that lead to served pages, without comments. */
  markdown: string
}

export function readGuides(): BuiltGuide[] {
  const served = new Set(guideSections.flatMap(({ pages }) => pages.map(({ file }) => file)))
  const isServed = (file: string) => served.has(file)
  return guideSections.flatMap(({ title: section, readers, pages }) =>
    pages.map((entry) => {
      const resolve = resolveFrom({ file: entry.file, isServed })
      const markdown = addLanguages(readFileSync(path.join(root, entry.file), 'utf8'))
      const toMarkdown = (target: string) => asMarkdown(resolve(target), isServed)
      return {
        entry,
        readers,
        section,
        guide: renderGuide(markdown, resolve),
        markdown: withServedLinks(withoutComments(markdown), toMarkdown),
      }
    }),
  )
}

/** A page in Markdown leads to other pages in Markdown. */
function asMarkdown(target: string | undefined, isServed: (file: string) => boolean) {
  if (target === undefined || !target.startsWith('/docs')) return target
  const [address = '', hash] = target.split('#')
  const page = guideSections
    .flatMap(({ pages }) => pages)
    .find(
      ({ file }) =>
        isServed(file) && markdownAddressOf(file).replace(/(\/index)?\.md$/, '') === address,
    )
  const shown = page ? markdownAddressOf(page.file) : address
  return hash === undefined ? shown : `${shown}#${hash}`
}

function withServedLinks(
  markdown: string,
  resolve: (target: string) => string | undefined,
): string {
  let isCode = false
  return markdown
    .split('\n')
    .map((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode
      if (isCode) return line
      return line.replace(/(?<=\]\()[^)\s]+(?=\))/g, (target) => resolve(target) ?? target)
    })
    .join('\n')
}
