import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGuides, type BuiltGuide } from '../../../scripts/guides/read-guides.ts'
import { nameHeadings } from '../../../scripts/guides/render-guide.ts'
import { resolveFrom } from '../../../scripts/guides/resolve-link.ts'
import { root } from '../../../scripts/machine/checkout.ts'
import {
  guideAddress,
  guidesPath,
  referencePath,
  writtenBaseUrl,
} from '../../../worker/reference/guides/guide-list.ts'
import { describeApi } from '../../../worker/reference/openapi/document.ts'

const guides = readGuides()
const byAddress = new Map(guides.map((built) => [guideAddress(built.entry.file), built]))
const operations = Object.values(describeApi('', '').paths).flatMap((item) =>
  Object.values(item).map(({ operationId }) => operationId),
)

/** The files and the headings that GitHub shows. */
const source = (file: string) => readFileSync(path.join(root, file), 'utf8')

function headingsOf(markdown: string): string[] {
  const nameOf = nameHeadings()
  return [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(
    ([, text = '']) => nameOf(text),
  )
}

function linksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

describe('the list of guides', () => {
  it('has every page of docs/ in a section, except the decisions', () => {
    const pages = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
      .map((name) => `docs/${name}`)
    const listed = guides.map(({ entry }) => entry.file)
    expect(pages.filter((file) => !listed.includes(file))).toEqual([])
  })

  it('gives each page an address and a title of its own', () => {
    expect(byAddress.size).toBe(guides.length)
    expect(new Set(guides.map(({ entry }) => entry.title)).size).toBe(guides.length)
  })
})

describe('a guide', () => {
  const cases = guides.map((built): [string, BuiltGuide] => [built.entry.file, built])

  it.each(cases)('%s has links that lead somewhere on GitHub', (file) => {
    const markdown = source(file)
    const broken = linksOf(markdown).filter((target) => {
      if (/^(https?:|mailto:)/.test(target)) return false
      const [place = '', fragment] = target.split('#')
      const named = path.posix.join(path.posix.dirname(file), place)
      if (place !== '' && !existsSync(path.join(root, named))) return true
      return (
        fragment !== undefined &&
        !headingsOf(place === '' ? markdown : source(named)).includes(fragment)
      )
    })
    expect(broken).toEqual([])
  })

  it.each(cases)('%s has links that lead somewhere when it is served', (file, { guide }) => {
    const links = [...guide.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(
      ([, target = '']) => target,
    )
    const here = guideAddress(file)
    const broken = links.filter((link) => {
      const target = link.replace(writtenBaseUrl, '')
      if (/^(https?:|mailto:)/.test(target)) return false
      const [address = '', fragment] = target.split('#')
      if (address === referencePath) return fragment !== undefined && !operations.includes(fragment)
      const page = byAddress.get(address === '' ? here : address)
      if (!page) return !isServedFile(address)
      return fragment !== undefined && !page.guide.headings.some(({ id }) => id === fragment)
    })
    expect(broken).toEqual([])
  })

  it.each(cases)('%s has one heading of the first level, and skips no level', (_, { guide }) => {
    const levels = guide.headings.map(({ level }) => level)
    expect(levels.filter((level) => level === 1)).toEqual([1])
    expect(levels.filter((level, i) => level > (levels[i - 1] ?? 1) + 1)).toEqual([])
  })

  const isServed = (file: string) => guides.some(({ entry }) => entry.file === file)
  it.each(cases)('%s for everyone has links only to what is served', (file, { readers }) => {
    const resolve = resolveFrom({ file, isServed })
    const lost = linksOf(source(file)).filter((target) => resolve(target) === undefined)
    expect(readers === 'everyone' ? lost : []).toEqual([])
  })

  it.each(cases)(
    '%s names only files that are there, and for everyone only served ones',
    (_, built) => {
      const files =
        /\b(test|worker|containers|scripts|docs(?!\/(examples|images)\/)|client|bench|migrations)\/[\w./-]+\.\w+|\bdev\.json/g
      const named = [...built.markdown.matchAll(files)].map(([name]) => name)
      const isForReader = (name: string) =>
        isServedFile(`/${name}`) ||
        isMarkdownOfPage(`/${name}`) ||
        (built.readers !== 'everyone' && (name === 'dev.json' || existsSync(path.join(root, name))))
      expect(named.filter((name) => !isForReader(name))).toEqual([])
    },
  )
})

const isServedFile = (address: string) =>
  new RegExp(`^${guidesPath}/(images|examples)/`).test(address)
    ? existsSync(path.join(root, address.slice(1)))
    : servedBeside.includes(address)
const servedBeside = [
  ...['/openapi.json', '/llms.txt', '/llms-full.txt', '/app', '/app/keys', '/health'],
  '/client/spool-video.tgz',
]

const isMarkdownOfPage = (address: string) => byAddress.has(address.replace(/(\/index)?\.md$/, ''))
