import { guideSections, markdownAddressOf } from '../../worker/reference/guides/guide-list.ts'
import { writtenBaseUrl } from '../../worker/reference/guides/guide.ts'
import type { BuiltGuide } from './read-guides.ts'

const summary =
  'Spool is an open, self-owned video processing service. Send a video by address or upload, and get it back cut, cleaned, joined, reshaped, with overlays, music, captions and a transcript. One REST API with keys, webhooks, presets and a TypeScript client.'

/** llms.txt, as https://llmstxt.org describes it: what there is, and where to read on. */
export function describeForModels(guides: readonly BuiltGuide[]): string {
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
export function everythingForModels(guides: readonly BuiltGuide[]): string {
  return guides
    .filter(({ readers }) => readers === 'everyone')
    .map(
      ({ entry, markdown }) =>
        `<!-- ${writtenBaseUrl}${markdownAddressOf(entry.file)} -->\n\n${markdown.trim()}\n`,
    )
    .join('\n')
}
