import path from 'node:path'
import { cpSync, existsSync } from 'node:fs'
import {
  builtNameOf,
  guideFolders,
  guideSections,
  markdownAddressOf,
  writtenBaseUrl,
} from '../../worker/reference/guides/guide-list.ts'
import { root } from '../machine/checkout.ts'
import { publishFiles } from '../machine/publish-files.ts'
import { builtGuides } from '../machine/built-files.ts'
import { readGuides, type BuiltGuide } from './read-guides.ts'
import { searchRecords } from './search-records.ts'

/** Makes everything that is served below /docs from the Markdown of the repository. */
export function buildGuides(): void {
  const guides = readGuides()
  const texts = [
    ['search.json', JSON.stringify(searchRecords(guides))],
    ['llms.txt', describeForModels(guides)],
    ['llms-full.txt', everythingForModels(guides)],
    ...guides.flatMap(({ entry, guide, markdown }) => [
      [`${builtNameOf(entry.file)}.json`, JSON.stringify(guide)],
      [`${builtNameOf(entry.file)}.md`, markdown],
    ]),
  ] as const
  const files = texts.map(([name = '', text = '']) => ({
    path: path.join(builtGuides, name),
    contents: Buffer.from(text),
  }))
  publishFiles(files, builtGuides)
  for (const name of guideFolders) {
    const source = path.join(root, 'docs', name)
    // git keeps no empty folder, so a clone of a state without such files has none.
    if (existsSync(source)) cpSync(source, path.join(builtGuides, name), { recursive: true })
  }
}

const summary =
  'Spool is an open, self-owned video processing service. Send a video by address or upload, and get it back cut, cleaned, joined, reshaped, with overlays, music, captions and a transcript. One REST API with keys, webhooks, presets and a TypeScript client.'

/** llms.txt, as https://llmstxt.org describes it: what there is, and where to read on. */
function describeForModels(guides: readonly BuiltGuide[]): string {
  const sections = guideSections.map(({ title }) => {
    const lines = guides
      .filter(({ section }) => section === title)
      .map(({ entry, guide }) => {
        const address = `${writtenBaseUrl}${markdownAddressOf(entry.file)}`
        return `- [${entry.title}](${address}): ${guide.about}`
      })
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return [
    `# Spool\n\n> ${summary}\n`,
    `Base address: ${writtenBaseUrl}. Every request under /v1 needs \`Authorization: Bearer <API_KEY>\`.\n`,
    `## API\n\n- [OpenAPI 3.1](${writtenBaseUrl}/openapi.json): every request, field, answer and error, with examples\n- [All guides in one file](${writtenBaseUrl}/llms-full.txt)\n`,
    ...sections,
  ].join('\n')
}

/** llms-full.txt: the guides for everyone, one after the other. */
function everythingForModels(guides: readonly BuiltGuide[]): string {
  return guides
    .filter(({ readers }) => readers === 'everyone')
    .map(
      ({ entry, markdown }) =>
        `<!-- ${writtenBaseUrl}${markdownAddressOf(entry.file)} -->\n\n${markdown.trim()}\n`,
    )
    .join('\n')
}
