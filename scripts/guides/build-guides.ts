import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import {
  builtNameOf,
  guideFolders,
  guideSections,
  markdownAddressOf,
  type GuideEntry,
  type GuideSection,
} from '../../worker/reference/guides/guide-list.ts'
import type { Guide } from '../../worker/reference/guides/guide.ts'
import { root } from '../machine/checkout.ts'
import { writeFileAtomically } from '../machine/write-file.ts'
import { builtGuides } from './built-guides.ts'
import { describeForModels, everythingForModels } from './for-models.ts'
import { renderGuide, withoutComments } from './render-guide.ts'
import { resolveFrom } from './resolve-link.ts'
import { searchRecords } from './search-records.ts'

export type BuiltGuide = {
  entry: GuideEntry
  readers: GuideSection['readers']
  section: string
  guide: Guide
  /** As it is served: with links that lead to served pages, without comments. */
  markdown: string
}

/** Makes everything that is served below /docs from the Markdown of the repository. */
export function buildGuides(folder: string = builtGuides): void {
  const guides = readGuides()
  const files = new Map<string, string>([
    ['search.json', JSON.stringify(searchRecords(guides))],
    ['llms.txt', describeForModels(guides)],
    ['llms-full.txt', everythingForModels(guides)],
  ])
  for (const { entry, guide, markdown } of guides) {
    files.set(`${builtNameOf(entry.file)}.json`, JSON.stringify(guide))
    files.set(`${builtNameOf(entry.file)}.md`, markdown)
  }
  publish(files, folder)
}

export function readGuides(): BuiltGuide[] {
  const served = new Set(guideSections.flatMap(({ pages }) => pages.map(({ file }) => file)))
  const isServed = (file: string) => served.has(file)
  return guideSections.flatMap(({ title: section, readers, pages }) =>
    pages.map((entry) => {
      const resolve = resolveFrom({ file: entry.file, isServed })
      const markdown = readFileSync(path.join(root, entry.file), 'utf8')
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

/** Writes only what has changed, each file as a whole: another process may serve or bundle the same at this moment. */
function publish(files: ReadonlyMap<string, string>, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) {
    const file = path.join(folder, name)
    if (readIfThere(file) !== text) writeFileAtomically(file, text, 0o644)
  }
  for (const name of guideFolders) {
    const source = path.join(root, 'docs', name)
    // git keeps no empty folder, so a clone of a state without such files has none.
    if (existsSync(source)) cpSync(source, path.join(folder, name), { recursive: true })
  }
  for (const name of readdirSync(folder)) {
    if (/\.(json|md)$/.test(name) && !files.has(name))
      rmSync(path.join(folder, name), { force: true })
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
